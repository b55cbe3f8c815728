/**
 * How often Claude Code may ask the service again by itself: it waits as long as the server says, or twice as long each
 * time, from half a second on. So many retries get over a minute without the service; longer is the run's to wait out.
 */
export const OWN_RETRIES = 7;
/** A wait from here on is waited out by the run, which stores it. */
export const OWN_WAIT_MS = 60_000;

export const CLAUDE_RETRIES = { CLAUDE_CODE_MAX_RETRIES: String(OWN_RETRIES) } as const;

/**
 * Where its retries cannot be seen, as behind another program: a bad key is told within two seconds, and a fault that
 * passes, or a wait that the server asks for, is still got over inside.
 */
export const CLAUDE_UNSEEN_RETRIES = { CLAUDE_CODE_MAX_RETRIES: "2" } as const;
