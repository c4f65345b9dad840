/** Where an operator is told of alarms. */
export interface AlarmSettings {
  /** A URL that gets each notice, signed with the secret; null: none. */
  post: { url: string; secret: string } | null;
  /** An address that gets each notice as a mail from a sending domain, whose workspace pays; null: none. */
  mail: { to: string; sender: string } | null;
}
