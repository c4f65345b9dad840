/** The numbers and texts of the contract, written again: the judge imports nothing of the program. */
const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Western Indonesian Time is seven hours ahead, without summer time. */
export const WIB_OFFSET = 7 * HOUR;

/** What the judge grants to a program that takes its time, in ms. A world that is slower says so. */
export const SLACK = {
  /** Hand-offs of one claim may ask at once, of which only one passes the fence. */
  together: SECOND,
  /** From a claim to the final dot of its mail, for the send rate. */
  handOff: 10 * SECOND,
  /**
   * From a claim to the final dot, for what stops mail that is not claimed: wider, since it judges a single mail, which
   * may wait for a slow server, and not how many come at once.
   */
  claimed: MINUTE,
  /** How long a claim holds. A program that was killed may go on with it when it is back. */
  lease: 12 * MINUTE,
  /** Until what was answered before a fault is certainly on disk. */
  stored: MINUTE,
  /** From the start of an attempt to its request at the receiver: the time to connect, and one second. */
  connect: 6 * SECOND,
  /** Between what the program takes for the time of something and what the outsider does. */
  clock: 5 * SECOND,
  /** How long a mail that was handed over waits for its first report, for certain: four days, or as configured. */
  evidence: 4 * DAY - HOUR,
  /** Hand-offs of a premium account in a minute: the usual, or as configured. */
  premium: 1_200,
  /** Until a retry that is due is made by a program that runs. */
  late: 15 * MINUTE,
  /** Until mail that may go is handed over by a program that runs; time may move on before it looks. */
  turn: 6 * HOUR + 15 * MINUTE,
  /** How far time moves at once, past what falls due meanwhile. */
  leap: 6 * HOUR,
};
export type Slack = typeof SLACK;

/** Waits between the attempts to hand a mail over, from the first refusal on; then hourly. */
export const RETRY_WAITS = [1, 2, 5, 10, 20, 30, 60].map((minutes) => minutes * MINUTE);
export const RETRIES_END = 3 * DAY;

export const WEBHOOK_WAITS = [30, 60, 90, 120].map((seconds) => seconds * SECOND);
export const WEBHOOK_ATTEMPTS = 5;
/** A receiver that answers later did not answer. */
export const WEBHOOK_TIMEOUT = 10 * SECOND;
/** A webhook without one success for so long is switched off. */
export const WEBHOOK_OFF_AFTER = 3 * DAY;

export const FREE_PER_MINUTE = 10;
export const FREE_PER_DAY = 300;
/** Opens or clicks of one pixel or link that are recorded in an hour. */
export const HITS_AN_HOUR = 100;

export const PENALTY = 4;
export const PENALTY_WINDOW = 24 * HOUR;

export const TEXTS = {
  noRecord: 'Tidak ada catatan pengiriman dari MTA.',
  exhausted: 'MTA menolak sementara terus-menerus:',
  noCoins: 'Saldo koin habis — top-up koin untuk lanjut mengirim.',
  suppressed: 'Penerima ada di suppression list.',
  deleted: 'Kontak sudah dihapus.',
  unsubscribed: 'Kontak sudah tidak berlangganan.',
  cancelled: 'Campaign dibatalkan.',
  /** The refusal of POST /messages, not the reason of a message. */
  refusedUnsubscribed: 'Penerima sudah unsubscribe.',
};
/** Reasons that say that the recipient may not get mail any more. */
export const BLOCKED_TEXTS: readonly string[] = [TEXTS.suppressed, TEXTS.deleted, TEXTS.unsubscribed];
/** Reasons for which the judge knows no act: nothing in a history can lead to them. */
export const UNEXPLAINED_TEXTS: readonly string[] = [
  ...['Domain pengirim tidak aktif.', 'Workspace disuspend.', 'Dibatalkan.', 'Lampiran kedaluwarsa setelah 4 hari.'],
];

/** How addresses are compared. */
export const addressOf = (to: string): string => to.trim().toLowerCase();
/** False for what is plainly no address. Only plain cases belong into a history. */
export const isAddress = (to: string): boolean => to.length <= 255 && /^[^\s@]+@[^\s@]+$/.test(to.trim());
