/** The line above a person's answer in a prompt; displays use it to find the answer. */
export const PERSON_ANSWERED = "A person answered. Heed this before all else:";
