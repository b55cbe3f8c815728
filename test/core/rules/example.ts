/** What the tables of examples hold. */
export interface Example {
  readonly example: string;
  /** The line before, where the rule asks for one. */
  readonly before?: string;
  /** Looks like the example and is not meant. */
  readonly nearMiss: string;
}
export type Examples = Readonly<Record<string, Example>>;
