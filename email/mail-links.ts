/** The links of one mail, as plain data. */
export interface MailLinks {
  /** Prefix of the tracked links; null: the links of the html stay as they are. */
  clicks: string | null;
  /** Null: no open pixel. */
  open: string | null;
  unsubscribe: string;
  /** The page that shows the mail; null: there is none, as for mail of the API. */
  browser: string | null;
}
