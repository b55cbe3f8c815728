/** The line above a person's answer in a prompt: faces find the answer by it. */
export const PERSON_ANSWERED = "A person answered. Heed this before all else:";
