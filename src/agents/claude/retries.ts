/**
 * How often Claude Code may retry a request by itself. It waits as long as the server says, or with exponential backoff
 * from half a second. This many retries survive more than a minute without the service; longer outages are for the run.
 */
export const OWN_RETRIES = 7;
/** From this length on, the run waits instead, because it stores the wait. */
export const OWN_WAIT_MS = 60_000;

export const CLAUDE_RETRIES = { CLAUDE_CODE_MAX_RETRIES: String(OWN_RETRIES) } as const;

/**
 * For use where its retries are not visible, as behind another program: a bad key is reported within two seconds, and
 * brief faults or waits that the server requests are still absorbed.
 */
export const CLAUDE_UNSEEN_RETRIES = { CLAUDE_CODE_MAX_RETRIES: "2" } as const;
