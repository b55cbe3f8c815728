export interface paths {
    "/api/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["list-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/list-workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list-workers"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["list-workers-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["read"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["read-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/outline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["outline"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["outline-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["inbox"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["inbox-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["review"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["review-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["follow"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["follow-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["logs"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["logs-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["prompt"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["prompt-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["diff"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["diff-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explain"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["explain-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metrics"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["metrics-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["export"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["export-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["report"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["report-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["stats"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["stats-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["stats-export"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["stats-export-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["memory-list"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["memory-list-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["memory-show"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["memory-show-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["agent-questions"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["agent-questions-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goal-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["goal-agent"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["goal-agent-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan-place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["plan-place"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["plan-place-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/check-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["check-plan"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["check-plan-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/found-here": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["found-here"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["found-here-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["doctor"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["doctor-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/classify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["classify"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["classify-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["suggest"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["suggest-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["validate"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["validate-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/excerpt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["excerpt"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["excerpt-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policy-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["policy-show"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["policy-show-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policy-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["policy-check"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["policy-check-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policy-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["policy-schema"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["policy-schema-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notify-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["notify-status"];
        put?: never;
        /** @description The same, for an input that is too long for an address */
        post: operations["notify-status-by-post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resume-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answer-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["answer-agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pr"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/clean": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["clean"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prepare-goal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["prepare-goal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agree-to-start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["agree-to-start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/choose-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["choose-agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/try-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["try-checks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan-accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["plan-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["init"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory-forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["memory-forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stats-reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats-import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stats-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notify-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["notify-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notify-send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["notify-send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answer-by-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description The answer of a message's button; its token is all that is asked for */
        post: operations["answer-by-token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sign-in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sign-out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            problem: {
                /** @enum {unknown} */
                code: "bad-input" | "not-found" | "ambiguous" | "not-now" | "not-allowed" | "needs-consent" | "failed" | "machine" | "journal";
                /** @description Can be shown as it is */
                message: string;
                run?: string;
                /** @description What to do about it */
                next?: string;
            };
        };
        ListInput: {
            /** @description Every run of every repository */
            all?: boolean;
            /** @description Only this repository's */
            here?: boolean;
            /** @description How many at most; not with all */
            limit?: number;
        };
        ListOutput: {
            readonly runs: {
                id: string;
                title: string;
                name: string;
                here: boolean;
                /** @enum {string} */
                state: "needs you" | "running" | "waiting" | "pausing" | "paused" | "interrupted" | "not started" | "verified" | "unverified" | "failed" | "out of budget" | "cancelled" | "imported";
                waitsUntil?: string;
                /** @enum {string} */
                pausedBy?: "user" | "system";
                questions: number;
                applied: boolean;
                cost?: {
                    [key: string]: unknown;
                };
                progress?: {
                    done: number;
                    subtasks: number;
                };
                readonly next: {
                    what: string;
                    command: string;
                    about: string;
                }[];
                phase: string;
                created: number;
                changed?: number;
                seq: number;
                outcome?: {
                    kind: string;
                    reason?: string;
                };
                repository: string;
                branch?: string;
                owner?: {
                    [key: string]: unknown;
                };
                alive: boolean;
                folderIsGone: boolean;
            }[];
            all: boolean;
            inside: boolean;
            older: number;
            elsewhere: string;
        };
        ListWorkersInput: {
            /** @description Where the engine's ingress is; default: UNSTUCK_FLEET, else http://127.0.0.1:8080 */
            readonly url?: string[];
        };
        ListWorkersOutput: {
            workers: {
                id: string;
                address: string;
                version: string;
                readonly labels: string[];
                slots: number;
                busy: number;
                draining: boolean;
                joinedAt: number;
                heardAt: number;
            }[];
            waiting: number;
            limits: {
                /** @enum {string} */
                by: "repository" | "agent" | "provider";
                /** @description "*": each of them for itself */
                name: string;
                atOnce?: number;
                perMinute?: number;
            }[];
        };
        ReadInput: {
            run: string;
        };
        ReadOutput: {
            id: string;
            title: string;
            name: string;
            here: boolean;
            /** @enum {string} */
            state: "needs you" | "running" | "waiting" | "pausing" | "paused" | "interrupted" | "not started" | "verified" | "unverified" | "failed" | "out of budget" | "cancelled" | "imported";
            waitsUntil?: string;
            /** @enum {string} */
            pausedBy?: "user" | "system";
            questions: number;
            applied: boolean;
            cost?: {
                [key: string]: unknown;
            };
            progress?: {
                done: number;
                subtasks: number;
            };
            readonly next: {
                what: string;
                command: string;
                about: string;
            }[];
            phase: string;
            created: number;
            changed?: number;
            seq: number;
            outcome?: {
                kind: string;
                reason?: string;
            };
            repository: string;
            branch?: string;
            owner?: {
                [key: string]: unknown;
            };
            alive: boolean;
            folderIsGone: boolean;
            card?: {
                run: string;
                goal: string;
                /** @enum {string} */
                state: "needs you" | "running" | "waiting" | "pausing" | "paused" | "interrupted" | "not started" | "verified" | "unverified" | "failed" | "out of budget" | "cancelled" | "imported";
                sentence: string;
                waitsUntil?: string;
                branch?: string;
                applied: boolean;
                readonly checks: {
                    check: string;
                    /** @enum {string} */
                    verdict: "passed" | "no worse" | "doubtful" | "left out" | "not run" | "failed";
                    words: string;
                    readonly subtasks: string[];
                }[];
                readonly subtasks: {
                    id: string;
                    phase: string;
                    attempts: number;
                    tookMs?: number;
                    wakesAt?: string;
                    waitsFor?: string;
                    readonly words: string[];
                    readonly recoveries: {
                        words: string;
                        times: number;
                    }[];
                }[];
                readonly unverified: {
                    subtask: string;
                    why: string;
                }[];
                changes?: {
                    files: number;
                    added: number;
                    removed: number;
                    readonly largest: {
                        path: string;
                        added: number;
                        removed: number;
                    }[];
                };
                readonly editedTests: string[];
                readonly spent: string[];
                tookMs: number;
                agentsMs: number;
                waitedMs: number;
                recovered: {
                    attempts: number;
                    readonly by: {
                        words: string;
                        times: number;
                    }[];
                };
                readonly questions: {
                    id: string;
                    question: string;
                }[];
                readonly warnings: string[];
                readonly next: {
                    what: string;
                    command: string;
                    about: string;
                }[];
            };
            diskBytes: number;
            startedBy?: string;
            paused?: {
                [key: string]: unknown;
            };
            spent: {
                [key: string]: unknown;
            };
            readonly spentWords: string[];
            readonly unheld: {
                [key: string]: unknown;
            }[];
            readonly subtasks: {
                id: string;
                phase: string;
                attempts: number;
                lastFailure?: string;
                lastFailureWords?: string;
                wakesAt?: string;
                question?: string;
                unanswered?: string;
                unansweredWords?: string;
                alertWords?: string;
                readonly notes: {
                    [key: string]: unknown;
                }[];
                errorCount: number;
                isHiccup: boolean;
            }[];
        };
        OutlineInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
        };
        OutlineOutput: {
            run: string;
            goal: string;
            startedAt?: number;
            at: number;
            stopped: boolean;
            ended: boolean;
            paused: boolean;
            readonly subtasks: {
                id: string;
                prompt: string;
                phase: string;
                readonly dependsOn: string[];
                story: string;
                readonly attempts: {
                    attempt: number;
                    startedAt?: number;
                    endedAt?: number;
                    agent?: string;
                    model?: string;
                    recovery?: string;
                    branch?: string;
                    failure?: {
                        name: string;
                        words: string;
                    };
                    used: {
                        [key: string]: unknown;
                    };
                    succeeded: boolean;
                }[];
                readonly waits: {
                    from: number;
                    until: number;
                    reason: string;
                }[];
            }[];
            readonly questions: {
                id: string;
                subtask?: string;
                readonly also: string[];
                question: string;
                askedAt: number;
                closedAt?: number;
                answer?: string;
            }[];
            readonly incidents: {
                name: string;
                from: number;
                until: number;
                readonly subtasks: string[];
            }[];
        };
        InboxInput: {
            /** @description Of all repositories */
            all?: boolean;
        };
        InboxOutput: {
            readonly questions: {
                run: string;
                repository: string;
                askedAt?: number;
                words: {
                    [key: string]: unknown;
                };
                evidence: {
                    [key: string]: unknown;
                };
                given?: {
                    answer: {
                        [key: string]: unknown;
                    };
                    by: string;
                    words: string;
                };
            }[];
            all: boolean;
            elsewhere: number;
        };
        ReviewInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description Of all repositories */
            all?: boolean;
        };
        ReviewOutput: {
            run: string;
            repository: string;
            askedAt?: number;
            words: {
                [key: string]: unknown;
            };
            evidence: {
                [key: string]: unknown;
            };
            given?: {
                answer: {
                    [key: string]: unknown;
                };
                by: string;
                words: string;
            };
            checkpoint: {
                [key: string]: unknown;
            };
            seen: number;
            story: string;
            readonly tried: string[];
            readonly approaches: {
                attempt: number;
                approach: string;
                failure?: string;
            }[];
            diff: string;
            report: string;
            folder?: string;
        }[];
        FollowInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description The first event to be told; default: 1 */
            from?: number;
            /** @description Only what is recorded from now on */
            onlyNews?: boolean;
            /**
             * @description How long: what is recorded; until it ends; until nobody works on it
             * @enum {string}
             */
            until: "now" | "ended" | "unattended";
            /**
             * @description Whether the run is to be told as a view: at the end, or whenever it changes
             * @enum {string}
             */
            view?: "end" | "live";
        };
        FollowOutput: {
            run: string;
            goesOn: boolean;
            card?: {
                run: string;
                goal: string;
                /** @enum {string} */
                state: "needs you" | "running" | "waiting" | "pausing" | "paused" | "interrupted" | "not started" | "verified" | "unverified" | "failed" | "out of budget" | "cancelled" | "imported";
                sentence: string;
                waitsUntil?: string;
                branch?: string;
                applied: boolean;
                readonly checks: {
                    check: string;
                    /** @enum {string} */
                    verdict: "passed" | "no worse" | "doubtful" | "left out" | "not run" | "failed";
                    words: string;
                    readonly subtasks: string[];
                }[];
                readonly subtasks: {
                    id: string;
                    phase: string;
                    attempts: number;
                    tookMs?: number;
                    wakesAt?: string;
                    waitsFor?: string;
                    readonly words: string[];
                    readonly recoveries: {
                        words: string;
                        times: number;
                    }[];
                }[];
                readonly unverified: {
                    subtask: string;
                    why: string;
                }[];
                changes?: {
                    files: number;
                    added: number;
                    removed: number;
                    readonly largest: {
                        path: string;
                        added: number;
                        removed: number;
                    }[];
                };
                readonly editedTests: string[];
                readonly spent: string[];
                tookMs: number;
                agentsMs: number;
                waitedMs: number;
                recovered: {
                    attempts: number;
                    readonly by: {
                        words: string;
                        times: number;
                    }[];
                };
                readonly questions: {
                    id: string;
                    question: string;
                }[];
                readonly warnings: string[];
                readonly next: {
                    what: string;
                    command: string;
                    about: string;
                }[];
            };
        };
        LogsInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description subtask, or subtask/attempt; default: what runs now, or ran last */
            at?: string;
            /** @description Goes on with the run, across attempts, until it ends or pauses */
            follow?: boolean;
            /** @description Tells the attempts only */
            list?: boolean;
            /** @description The agent's own output as it was recorded, instead of entries */
            raw?: boolean;
            /** @description Only the last entries of each attempt */
            tail?: number;
            /** @description Only what happened from then on; epoch milliseconds */
            since?: number;
        };
        LogsOutput: {
            run: string;
            readonly attempts: {
                subtask: string;
                attempt: number;
                running: boolean;
                agent: string;
                model?: string;
                startedAt?: number;
                endedAt?: number;
                failure?: string;
            }[];
            readonly shown: string[];
            goesOn: boolean;
        };
        PromptInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description subtask/attempt */
            at: string;
        };
        PromptOutput: {
            run: string;
            subtask: string;
            readonly prompts: {
                attempt: number;
                recovery?: string;
                text?: string;
                cut: boolean;
            }[];
        };
        DiffInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description Of one attempt: subtask/n */
            attempt?: string;
            /** @description What an attempt is compared with: start (default), good, base, or subtask/n */
            against?: string;
        };
        DiffOutput: {
            run: string;
            repository: string;
            from: string;
            to: string;
            text: string;
            cut: boolean;
        };
        ExplainInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            subtask?: string;
            event?: number;
        };
        ExplainOutput: {
            run: string;
            begun: boolean;
            readonly decisions: {
                seq: number;
                subtask?: string;
                decision: string;
                readonly seen: string[];
                readonly considered: {
                    [key: string]: unknown;
                }[];
                why: string;
                said?: string;
                readonly evidence?: string[];
                readonly others?: {
                    [key: string]: unknown;
                }[];
                readonly belief?: {
                    [key: string]: unknown;
                }[];
                classified?: {
                    [key: string]: unknown;
                };
                event: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @description Without a run: all of them together */
        MetricsInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
        };
        MetricsOutput: {
            runs: number;
            recovery_triggers: number;
            recovery_success: number;
            readonly stage_success: {
                [key: string]: number;
            };
            recovery_iterations: number;
        };
        ExportInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            episodes?: boolean;
        };
        ExportOutput: {
            history: {
                [key: string]: unknown;
            };
        } | {
            readonly episodes: {
                [key: string]: unknown;
            }[];
        };
        ReportInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description Only this one */
            subtask?: string;
            /**
             * @description Also in this form
             * @enum {string}
             */
            format?: "html" | "junit";
        };
        ReportOutput: {
            run: string;
            goal: string;
            outcome?: {
                kind: string;
                reason?: string;
            };
            durationMs: number;
            readonly subtasks: {
                id: string;
                phase: string;
                readonly dependsOn: string[];
                readonly blocks: string[];
                readonly files: string[];
                readonly attempts: {
                    [key: string]: unknown;
                }[];
            }[];
            readonly questions: {
                [key: string]: unknown;
            }[];
            metrics: {
                recovery_triggers: number;
                recovery_success: number;
                readonly stage_success: {
                    [key: string]: number;
                };
                recovery_iterations: number;
            };
            markdown: string;
            html?: string;
            junit?: string;
        };
        StatsInput: Record<string, never>;
        StatsOutput: {
            repository: string;
            readonly moves: {
                /** @description The kind of failure it came after */
                symptom: string;
                /** @description The recovery, or repair/ and the strategy of a repair chain */
                move: string;
                /** @description Tiers above the one the subtask was planned for */
                tierStep: number;
                agent: string;
                here: {
                    /** @description Outcomes that count; older ones fade */
                    tried: number;
                    worked: number;
                };
                /** @description In your other repositories, before they are weighed */
                elsewhere: {
                    /** @description Outcomes that count; older ones fade */
                    tried: number;
                    worked: number;
                };
                /** @description How likely it is to work where nothing was learned */
                prior: number;
                /** @description With what was learned */
                posterior: number;
            }[];
            readonly calibration: {
                /** @description Of 1 */
                from: number;
                /** @description Of 1 */
                to: number;
                /** @description What was said on average */
                said: number;
                /** @description How many did work */
                worked: number;
                cases: number;
            }[];
            /** @description What you answered no to, and what is not suggested any more */
            readonly never: ("sudo" | "install" | "delete")[];
            /** @description Failures that are remembered */
            lessons: number;
        };
        StatsExportInput: Record<string, never>;
        StatsExportOutput: {
            [key: string]: unknown;
        };
        MemoryListInput: Record<string, never>;
        MemoryListOutput: {
            repository: string;
            readonly lessons: {
                id: string;
                kind: string;
                error: string;
                /** @description What overcame it */
                recovery?: string;
                /**
                 * @description A person's answer overcame it
                 * @constant
                 */
                byPerson?: true;
                summary: string;
                readonly files: string[];
                overcome: number;
                told: number;
                held: number;
                /** @description Last met; ISO 8601 */
                at: string;
                /** @description Forgotten then, unless it is met again */
                expires: string;
            }[];
        };
        MemoryShowInput: {
            id: string;
        };
        MemoryShowOutput: {
            id: string;
            kind: string;
            error: string;
            /** @description What overcame it */
            recovery?: string;
            /**
             * @description A person's answer overcame it
             * @constant
             */
            byPerson?: true;
            summary: string;
            readonly files: string[];
            overcome: number;
            told: number;
            held: number;
            /** @description Last met; ISO 8601 */
            at: string;
            /** @description Forgotten then, unless it is met again */
            expires: string;
            /** @description What an agent is told of it */
            prompt: string;
        };
        AgentQuestionsInput: Record<string, never>;
        AgentQuestionsOutput: {
            id: string;
            cwd: string;
            /** @description ISO 8601 */
            askedAt: string;
            question: string;
            readonly options: string[];
            run?: string;
            /** @description The subtask of the run that it was asked in */
            subtask?: string;
        }[];
        GoalAgentInput: {
            /** @description As a person named it */
            agent?: string;
        };
        GoalAgentOutput: {
            /** @description Absent: a person has to choose one of several */
            agent?: {
                /** @description As a plan names it: an agent's name, or a command with {prompt} */
                agent: string;
                title: string;
                version?: string;
                /** @description What says that somebody logged in; absent: nothing seen */
                loginMark?: string;
                /** @description A budget in dollars can hold it */
                namesCost: boolean;
            };
            /** @description Installed and logged in beside it */
            readonly others: {
                /** @description As a plan names it: an agent's name, or a command with {prompt} */
                agent: string;
                title: string;
                version?: string;
                /** @description What says that somebody logged in; absent: nothing seen */
                loginMark?: string;
                /** @description A budget in dollars can hold it */
                namesCost: boolean;
            }[];
        };
        PlanPlaceInput: {
            output?: string;
        };
        PlanPlaceOutput: {
            file: string;
            exists: boolean;
        };
        CheckPlanInput: {
            /** @description A plan in YAML, as it is so far */
            planText: string;
        };
        CheckPlanOutput: {
            readonly problems: {
                line?: number;
                column?: number;
                message: string;
                next?: string;
            }[];
            plan?: {
                goal: string;
                /** @description Each after those it depends on */
                readonly subtasks: {
                    id: string;
                    prompt: string;
                    readonly dependsOn: string[];
                    readonly checks: string[];
                    /**
                     * @description Only looks around
                     * @constant
                     */
                    readOnly?: true;
                }[];
                /** @description Everything that a run of the plan would start, in full */
                readonly commands: {
                    /** @enum {string} */
                    what: "agent" | "setup" | "check";
                    run: string;
                    /** @description The file that asks for it, where the plan does not */
                    from?: string;
                }[];
                /** @description A measure that is left out is not limited */
                limits: {
                    attempts?: number;
                    usd?: number;
                    tokens?: number;
                    timeMs?: number;
                    /** @description The longest that one attempt may take */
                    attemptMs: number;
                    /** @description Agents that do not tell their cost: no limit in dollars holds them */
                    readonly unreported: string[];
                };
            };
        };
        FoundHereInput: {
            /** @description Of the agent: it tells what it costs */
            namesCost?: boolean;
        };
        FoundHereOutput: {
            repository: string;
            /** @description The repository's own */
            readonly checks: {
                run: string;
                from: string;
            }[];
            /** @description Where nobody says; minutes are of agents' work */
            budget: {
                usd?: number;
                tokens?: number;
                minutes?: number;
                attempts?: number;
            };
        };
        DoctorInput: {
            /** @description What the caller shows things on */
            terminal?: {
                columns?: number;
                colours?: boolean;
            };
        };
        DoctorOutput: {
            canRun: boolean;
            /** @description What is in the way of a run */
            why?: string;
            /** @description Of the machine, of what is around a run, and of all agents */
            readonly findings: {
                what: string;
                /**
                 * @description problem: no run can start
                 * @enum {string}
                 */
                state: "ok" | "warning" | "problem";
                words: string;
                /** @description The command that fixes it, or what to do */
                fix?: string;
            }[];
            readonly agents: {
                name: string;
                title: string;
                installed: boolean;
                path?: string;
                version?: string;
                isTested: boolean;
                loginMark?: string;
                readonly features: string[];
                finding: {
                    what: string;
                    /**
                     * @description problem: no run can start
                     * @enum {string}
                     */
                    state: "ok" | "warning" | "problem";
                    words: string;
                    /** @description The command that fixes it, or what to do */
                    fix?: string;
                };
            }[];
        };
        ClassifyInput: {
            /** @description A log, or evidence as JSON */
            text?: string;
            /** @description Evidence by its fields; they win over the text */
            fields?: unknown;
            /** @description How a problem names what was given */
            called?: string;
        };
        ClassifyOutput: {
            /** @enum {string} */
            kind: "command_not_found" | "tool_not_found" | "permission_denied" | "timeout" | "file_not_found" | "invalid_arguments" | "syntax_error" | "network_error" | "rate_limited" | "disk_full" | "server_overloaded" | "server_error" | "auth_required" | "auth_expired" | "context_exhausted" | "malformed_output" | "agent_crash" | "out_of_memory" | "broken_build" | "verification_failed" | "merge_conflict" | "dependency_error" | "content_refused" | "billing" | "unknown" | "agent_missing" | "unsafe_action" | "hung" | "interrupted" | "lost" | "looping" | "no_progress" | "circular_fix";
            /** @enum {string} */
            category: "transient" | "systematic" | "fatal";
            /** @enum {string} */
            origin: "provider" | "agent" | "tool" | "check" | "workspace";
            confidence: number;
            readonly because: string[];
            signature: string;
            retryAfterMs?: number;
            resetAt?: string;
            /** @constant */
            resetIsExact?: true;
            heldMs?: number;
        };
        SuggestInput: {
            /** @description A log, or evidence as JSON */
            text?: string;
            /** @description Evidence by its fields; they win over the text */
            fields?: unknown;
            /** @description How a problem names what was given */
            called?: string;
            readonly tools?: string[];
            /** @description Where files may be written; default: TOOLS_FS_ROOT or the current folder */
            sandbox?: string;
        };
        SuggestOutput: {
            priority: number;
            strategy: string;
            confidence: number;
            estimatedIterations: number;
            readonly steps: {
                action: string;
                /** @description The agent's own name of the tool; null where it or a person acts */
                tool: string | null;
                args: {
                    [key: string]: unknown;
                };
                expectedOutcome: string;
                needsPermission?: string;
            }[];
            /** @description The strategies that follow if this one fails */
            readonly fallbackChain: string[];
            /** @enum {string} */
            kind: "command_not_found" | "tool_not_found" | "permission_denied" | "timeout" | "file_not_found" | "invalid_arguments" | "syntax_error" | "network_error" | "rate_limited" | "disk_full" | "server_overloaded" | "server_error" | "auth_required" | "auth_expired" | "context_exhausted" | "malformed_output" | "agent_crash" | "out_of_memory" | "broken_build" | "verification_failed" | "merge_conflict" | "dependency_error" | "content_refused" | "billing" | "unknown" | "agent_missing" | "unsafe_action" | "hung" | "interrupted" | "lost" | "looping" | "no_progress" | "circular_fix";
            readonly alternatives: {
                priority: number;
                strategy: string;
                confidence: number;
                estimatedIterations: number;
                readonly steps: {
                    action: string;
                    /** @description The agent's own name of the tool; null where it or a person acts */
                    tool: string | null;
                    args: {
                        [key: string]: unknown;
                    };
                    expectedOutcome: string;
                    needsPermission?: string;
                }[];
                /** @description The strategies that follow if this one fails */
                readonly fallbackChain: string[];
            }[];
        };
        ValidateInput: {
            answer: string;
            /** @description A JSON Schema that the answer must fit */
            schema?: unknown;
            /** @description Tools (own, MCP, Anthropic or OpenAI shape) that it must call */
            tools?: unknown;
            /** @description How a problem names what was given */
            called?: string;
        };
        ValidateOutput: {
            valid: boolean;
            value?: unknown;
            repaired: boolean;
            error?: string;
            suggestion?: string;
            schemaError?: string;
        };
        ExcerptInput: {
            /** @description Evidence by its fields; they win over the text */
            fields?: unknown;
            /** @description How a problem names what was given */
            called?: string;
            /** @description Characters of the excerpt */
            budget?: number;
        };
        ExcerptOutput: {
            /** @enum {string} */
            kind: "verification_failed" | "broken_build" | "timeout" | "cannot_run" | "passed";
            headline: string;
            excerpt: string;
            readonly items: {
                name?: string;
                message: string;
                expected?: string;
                got?: string;
                place?: string;
            }[];
        };
        PolicyShowInput: {
            /** @enum {string} */
            preset: "standard" | "stuck-recovery" | "recovery-actions" | "recovery-strategies" | "hierarchical" | "tier-ladder" | "adaptive";
        } | {
            text: string;
            called: string;
        };
        PolicyShowOutput: {
            [key: string]: unknown;
        };
        PolicyCheckInput: {
            text: string;
        };
        PolicyCheckOutput: {
            /** @constant */
            ok: true;
            name: string;
            rungs?: number;
        } | {
            /** @constant */
            ok: false;
            readonly problems: {
                line: number;
                column: number;
                path: string;
                message: string;
            }[];
        };
        PolicySchemaInput: Record<string, never>;
        PolicySchemaOutput: {
            [key: string]: unknown;
        };
        NotifyStatusInput: Record<string, never>;
        NotifyStatusOutput: {
            readonly channels: {
                /** @enum {string} */
                channel: "desktop" | "webhook" | "slack" | "ntfy";
                readonly when: ("critical" | "question" | "info")[];
            }[];
            quietHours?: {
                from: string;
                to: string;
            };
            hasLinks: boolean;
            takesReplies: boolean;
            details: boolean;
            waiting: number;
            readonly problems: {
                /** @enum {string} */
                channel: "desktop" | "webhook" | "slack" | "ntfy";
                problem: string;
            }[];
            file: string;
        };
        StartInput: {
            /** @description Plan file; default: the nearest up to the root */
            plan?: string;
            /** @description A plan in words of our own, instead of a file */
            planText?: string;
            goal?: string;
            agent?: string;
            readonly checks?: string[];
            readonly setup?: string[];
            readonly carry?: string[];
            policy?: string;
            concurrency?: number;
            grounding?: boolean;
            stuckAfter?: number;
            recoveryBudget?: number;
            progressThreshold?: number;
            withChanges?: boolean;
            inPlace?: boolean;
            trust?: boolean;
            fullPermissions?: boolean;
            /** @description A run that agents are told the failures of */
            history?: string;
            /** @description What the checks said of the base a moment ago, as prepare-goal names it */
            measured?: string;
        };
        StartOutput: {
            /** @description Its id; a process of its own works on it */
            run: string;
        };
        ResumeInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description A subtask that ended unverified and is to try on */
            retry?: string;
            /** @description What to tell the agent then */
            words?: string;
        };
        ResumeOutput: {
            /** @description Its id; a process of its own works on it */
            run: string;
        };
        ResumeAllInput: {
            /** @description Not what a person stopped */
            onlyCutOff?: boolean;
        };
        ResumeAllOutput: {
            readonly resumed: string[];
        };
        StopInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
        };
        StopOutput: {
            run: string;
            phase: string;
            begun: boolean;
            ownerAlive: boolean;
            paused: boolean;
            outcome?: {
                kind: string;
                reason?: string;
            };
        };
        CancelInput: {
            run: string;
        };
        CancelOutput: {
            run: string;
            ended: boolean;
            before: string;
            outcome?: {
                kind: string;
                reason?: string;
            };
        };
        AnswerInput: {
            run?: string;
            /** @description Its id, such as login/c1 */
            question: string;
            answer: {
                /** @enum {string} */
                kind: "skip" | "without" | "other-agent" | "allow-once" | "allow-run" | "allow-always";
            } | {
                /** @constant */
                kind: "retry";
                words: string;
                /**
                 * @description The recovery, as the question offers it
                 * @enum {string}
                 */
                how?: "fresh" | "steps" | "other-model" | "stronger-model";
            } | {
                /** @constant */
                kind: "manual";
                done: boolean;
            } | {
                /** @constant */
                kind: "top-up";
                by: {
                    [key: string]: unknown;
                };
            };
            /** @description The run's last event when the question was read */
            seen?: number;
        };
        AnswerOutput: {
            run: string;
            checkpoint: string;
            answer: {
                /** @enum {string} */
                kind: "skip" | "without" | "other-agent" | "allow-once" | "allow-run" | "allow-always";
            } | {
                /** @constant */
                kind: "retry";
                words: string;
                /**
                 * @description The recovery, as the question offers it
                 * @enum {string}
                 */
                how?: "fresh" | "steps" | "other-model" | "stronger-model";
            } | {
                /** @constant */
                kind: "manual";
                done: boolean;
            } | {
                /** @constant */
                kind: "top-up";
                by: {
                    [key: string]: unknown;
                };
            };
            ownerAlive: boolean;
            folder?: string;
            readonly alike?: {
                run: string;
                question: string;
            }[];
        };
        AnswerAgentInput: {
            id: string;
            words: string;
        };
        AnswerAgentOutput: {
            id: string;
        };
        ApplyInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            attempt?: string;
            squash?: boolean;
            /** @description Also what later commits took back */
            again?: boolean;
            dryRun?: boolean;
            /** @description Also a result that passes with its own tests only */
            acceptTests?: boolean;
        };
        ApplyOutput: {
            run: string;
            repository: string;
            branch: string | null;
            head: string | null;
            readonly files: string[];
            stat: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            result: "applied" | "there" | "nothing";
            committed: boolean;
            rescue: string | null;
            readonly takenBack: string[];
            dryRun: boolean;
            /** @description Signs the new commits, where yours are signed */
            sign?: string;
            readonly notes: {
                [key: string]: unknown;
            }[];
        };
        UndoInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            to?: string;
            attempt?: string;
        };
        UndoOutput: {
            run: string;
            repository: string;
            branch: string | null;
            head: string | null;
            readonly files: string[];
            stat: {
                [key: string]: unknown;
            };
            rescue: string;
        } | {
            run: string;
            repository: string;
            rescue: string;
            snapshot: string;
        };
        PrInput: {
            /** @description A run's id or a part of it; default: the latest of this repository */
            run?: string;
            /** @description Default: the only one */
            remote?: string;
            /** @description Its name there; default: that of the run's result */
            branch?: string;
            /** @description What it is to be merged into; default: the run's base branch */
            base?: string;
            title?: string;
            draft?: boolean;
            /** @description Also a result that is not verified */
            unverified?: boolean;
            /** @description Only tells what would be done */
            dryRun?: boolean;
        };
        PrOutput: {
            run: string;
            repository: string;
            outcome: {
                kind: string;
                reason?: string;
            };
            remote: string;
            remoteUrl: string;
            branch: string;
            base: string;
            title: string;
            draft: boolean;
            commit: string;
            files: number;
            added: number;
            removed: number;
            /** @enum {string} */
            state: "would-open" | "would-push" | "opened" | "there" | "pushed";
            /** @description The remote has the commit */
            pushed: boolean;
            /** @description Of one that is there: open, merged or closed */
            requestState?: string;
            /** @description Of the pull request, or of the page that opens it */
            url?: string;
        };
        CleanInput: {
            /** @description Ids or parts of them, whatever their age; none: all that ended */
            readonly runs: string[];
            olderThanDays: number;
            all?: boolean;
            /** @description Also what is not applied */
            force?: boolean;
        };
        CleanOutput: {
            readonly runs: {
                run: string;
                repository: string;
                removed: boolean;
                why?: string;
                wouldLose?: string;
                elsewhere: boolean;
            }[];
            left?: {
                folders: number;
                pins: number;
                pinsKept: number;
                readonly kept: {
                    id: string;
                    why: string;
                }[];
            };
        };
        ImportInput: {
            text: string;
            /** @description Where it is from */
            name: string;
        };
        ImportOutput: {
            run: string;
            subtasks: number;
            attempts: number;
            episodes: number;
            skipped: number;
        };
        PrepareGoalInput: {
            goal: string;
            agent: {
                /** @description As a plan names it: an agent's name, or a command with {prompt} */
                agent: string;
                title: string;
                version?: string;
                /** @description What says that somebody logged in; absent: nothing seen */
                loginMark?: string;
                /** @description A budget in dollars can hold it */
                namesCost: boolean;
            };
            /** @description Instead of the repository's own; each must pass */
            readonly checks?: string[];
            /** @description Start although nothing can be verified */
            noChecks?: boolean;
            /** @description Instead of what the lock file asks for */
            readonly setup?: string[];
            withChanges?: boolean;
            inPlace?: boolean;
            /** @description The budget in dollars */
            usd?: number;
            /** @description A person agreed to the start beforehand */
            yes?: boolean;
            /** @description A person is there who can be shown the card and asked */
            canAsk?: boolean;
        };
        PrepareGoalOutput: {
            goal: string;
            repository: string;
            from: {
                branch: string | null;
                commit: string | null;
            };
            /** @description Files with uncommitted changes that are no part of it */
            changesLeftOut: number;
            agent: {
                /** @description As a plan names it: an agent's name, or a command with {prompt} */
                agent: string;
                title: string;
                version?: string;
                /** @description What says that somebody logged in; absent: nothing seen */
                loginMark?: string;
                /** @description A budget in dollars can hold it */
                namesCost: boolean;
            };
            setup?: {
                readonly commands: string[];
                from: string;
            };
            readonly checks: {
                run: string;
                /** @description The file that names it; absent: a person did */
                from?: string;
                /**
                 * @description Absent: not tried
                 * @enum {string}
                 */
                state?: "green" | "red";
                /** @enum {string} */
                expect: "pass" | "no-worse";
                headline?: string;
                /** @description How many tests or messages failed */
                items?: number;
            }[];
            readonly leftOut: {
                run: string;
                from: string;
                why: string;
            }[];
            /** @description Minutes are of agents' work */
            budget: {
                usd?: number;
                tokens?: number;
                minutes?: number;
                attempts?: number;
            };
            /** @description Nobody has to be asked any more */
            agreed: boolean;
            /** @description What a remembered yes stands for: repository, agent, checks, set-up */
            mark: string;
            /** @description What the checks said, kept for a run that starts within minutes */
            measured?: string;
            /** @description The plan that starts it, as JSON */
            plan: string;
        };
        AgreeToStartInput: {
            mark: string;
        };
        AgreeToStartOutput: {
            kept: boolean;
        };
        ChooseAgentInput: {
            agent: string;
        };
        ChooseAgentOutput: {
            agent: string;
            /** @description Where it is kept */
            file: string;
        };
        TryChecksInput: {
            /** @description Those that are found, where none are named */
            readonly checks?: {
                run: string;
                /** @description The file that says so */
                from: string;
                /** @description Why it is not the command that one might expect */
                note?: string;
            }[];
            /** @description Instead of what the repository's files ask for */
            readonly setup?: string[];
            /** @description With the uncommitted changes of the checkout */
            withChanges?: boolean;
            /** @description For each check; 10 minutes */
            limitMs?: number;
        };
        TryChecksOutput: {
            base: {
                /** @description Absent where there is no commit yet */
                commit?: string;
                withChanges: boolean;
            };
            /** @description The commands that made the tree ready */
            readonly setup?: string[];
            readonly checks: {
                run: string;
                from: string;
                /**
                 * @description green: passes; red: fails; hangs: did not end in time; cannot-run: judged nothing
                 * @enum {string}
                 */
                state: "green" | "red" | "hangs" | "cannot-run";
                ms: number;
                /** @description What fails, in one line */
                headline?: string;
                /** @description How many tests or places fail, where that is known */
                items?: number;
                /** @description Why it says nothing about the code */
                why?: string;
            }[];
        };
        PlanInput: {
            goal?: string;
            document?: {
                name: string;
                text: string;
            };
            /** @description Open issues of the repository, through gh */
            issues?: {
                label?: string;
                limit?: number;
            };
            /** @description A plan that was written before, and what a person wants changed in it */
            change?: {
                plan: string;
                words: string;
            };
            agent?: string;
            /** @description Limit of the whole run */
            usd?: number;
        };
        PlanOutput: {
            goal: string;
            /** @description Each after those it depends on */
            readonly subtasks: {
                id: string;
                prompt: string;
                readonly dependsOn: string[];
                readonly checks: string[];
                /**
                 * @description Only looks around
                 * @constant
                 */
                readOnly?: true;
            }[];
            /** @description Everything that a run of the plan would start, in full */
            readonly commands: {
                /** @enum {string} */
                what: "agent" | "setup" | "check";
                run: string;
                /** @description The file that asks for it, where the plan does not */
                from?: string;
            }[];
            /** @description A measure that is left out is not limited */
            limits: {
                attempts?: number;
                usd?: number;
                tokens?: number;
                timeMs?: number;
                /** @description The longest that one attempt may take */
                attemptMs: number;
                /** @description Agents that do not tell their cost: no limit in dollars holds them */
                readonly unreported: string[];
            };
            /** @description The plan file */
            text: string;
            agent: string;
            /** @description How often the agent was asked */
            asked: number;
            /** @description What writing it cost, where the agent tells */
            usd?: number;
        };
        PlanAcceptInput: {
            text: string;
            /** @description The file; default: unstuck.yaml in the repository's root */
            output?: string;
            /** @description Overwrites an existing file */
            force?: boolean;
        };
        PlanAcceptOutput: {
            file: string;
            /** @description The plan's checks on the base, as far as they were run */
            readonly tried: {
                run: string;
                from: string;
                /**
                 * @description green: passes; red: fails; hangs: did not end in time; cannot-run: judged nothing
                 * @enum {string}
                 */
                state: "green" | "red" | "hangs" | "cannot-run";
                ms: number;
                /** @description What fails, in one line */
                headline?: string;
                /** @description How many tests or places fail, where that is known */
                items?: number;
                /** @description Why it says nothing about the code */
                why?: string;
            }[];
        };
        InitInput: {
            /** @description Only makes the text */
            dryRun?: boolean;
            /** @description Overwrites an existing file */
            force?: boolean;
            /** @description Runs the checks once on the base, and leaves out what cannot run there */
            tryChecks?: boolean;
        };
        InitOutput: {
            readonly agents: {
                name: string;
                title: string;
                version?: string;
            }[];
            readonly checks: {
                run: string;
                /** @description The file that says so */
                from: string;
                /** @description Why it is not the command that one might expect */
                note?: string;
            }[];
            readonly leftOut: {
                what: string;
                from: string;
                /** @description Why it cannot be a check */
                why: string;
            }[];
            setup?: {
                readonly commands: string[];
                from: string;
                missing?: string;
            };
            file: string;
            text: string;
            written: boolean;
            /** @description What the checks said on the base */
            readonly tried?: {
                run: string;
                from: string;
                /**
                 * @description green: passes; red: fails; hangs: did not end in time; cannot-run: judged nothing
                 * @enum {string}
                 */
                state: "green" | "red" | "hangs" | "cannot-run";
                ms: number;
                /** @description What fails, in one line */
                headline?: string;
                /** @description How many tests or places fail, where that is known */
                items?: number;
                /** @description Why it says nothing about the code */
                why?: string;
            }[];
        };
        MemoryForgetInput: {
            /** @description Default: all of this repository */
            id?: string;
        };
        MemoryForgetOutput: {
            repository: string;
            forgotten: number;
        };
        StatsResetInput: Record<string, never>;
        StatsResetOutput: {
            repository: string;
            forgotten: number;
        };
        StatsImportInput: {
            text: string;
            name: string;
        };
        StatsImportOutput: {
            repository: string;
            cells: number;
            dropped: number;
        };
        NotifyTestInput: {
            /**
             * @description Only this one
             * @enum {string}
             */
            channel?: "desktop" | "webhook" | "slack" | "ntfy";
        };
        NotifyTestOutput: {
            readonly results: {
                /** @enum {string} */
                channel: "desktop" | "webhook" | "slack" | "ntfy";
                sent: boolean;
                problem?: string;
            }[];
        };
        NotifySendInput: Record<string, never>;
        NotifySendOutput: {
            sent: number;
            waiting: number;
        };
        AnswerByTokenInput: {
            token: string;
        };
        AnswerByTokenOutput: {
            run: string;
            question: string;
            /** @enum {string} */
            answer: "skip" | "deny" | "snooze";
            again?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "list-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ListInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "list-workers": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkersOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "list-workers-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ListWorkersInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkersOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "read-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReadInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    outline: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutlineOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "outline-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OutlineInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutlineOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    inbox: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "inbox-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InboxInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    review: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "review-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReviewInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "follow-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FollowInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logs: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "logs-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogsInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    prompt: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prompt-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromptInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    diff: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "diff-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DiffInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explain: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "explain-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExplainInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "metrics-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MetricsInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "report-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReportInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stats-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StatsInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stats-export": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsExportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stats-export-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StatsExportInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsExportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "memory-list": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryListOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "memory-list-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MemoryListInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryListOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "memory-show": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryShowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "memory-show-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MemoryShowInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryShowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "agent-questions": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentQuestionsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "agent-questions-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentQuestionsInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentQuestionsOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "goal-agent": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalAgentOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "goal-agent-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GoalAgentInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalAgentOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "plan-place": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPlaceOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "plan-place-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PlanPlaceInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPlaceOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-plan": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckPlanOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-plan-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckPlanInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckPlanOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "found-here": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundHereOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "found-here-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FoundHereInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundHereOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    doctor: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "doctor-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DoctorInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    classify: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassifyOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "classify-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClassifyInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassifyOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suggest: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "suggest-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuggestInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    validate: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "validate-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ValidateInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    excerpt: {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExcerptOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "excerpt-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExcerptInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExcerptOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-show": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyShowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-show-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicyShowInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyShowOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-check": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyCheckOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-check-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicyCheckInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyCheckOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-schema": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicySchemaOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "policy-schema-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicySchemaInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicySchemaOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "notify-status": {
        parameters: {
            query?: {
                /** @description The input as JSON */
                input?: string;
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifyStatusOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "notify-status-by-post": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NotifyStatusInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifyStatusOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "resume-all": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeAllInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeAllOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stop: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "answer-agent": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerAgentInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerAgentOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    apply: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplyInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplyOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undo: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pr: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clean: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CleanOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prepare-goal": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrepareGoalInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrepareGoalOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "agree-to-start": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgreeToStartInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgreeToStartOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "choose-agent": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseAgentInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChooseAgentOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "try-checks": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryChecksInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryChecksOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    plan: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "plan-accept": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanAcceptInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanAcceptOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    init: {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InitInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InitOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "memory-forget": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryForgetInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryForgetOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stats-reset": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatsResetInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsResetOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stats-import": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatsImportInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsImportOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "notify-test": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifyTestInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifyTestOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "notify-send": {
        parameters: {
            query?: {
                /** @description A folder of the server's machine; default: where it was started */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifySendInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifySendOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "answer-by-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerByTokenInput"];
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerByTokenOutput"];
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description Its id; without it: what changes in the list of runs */
                run?: string;
                /** @description Only what comes after this id */
                after?: number;
            };
            header?: {
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `run`, `runs` and `inbox` events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What follows the # of the link */
                    code: string;
                };
            };
        };
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        signedIn: boolean;
                    };
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then `result` or `problem` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        signedIn: boolean;
                    };
                };
            };
            /** @description Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
