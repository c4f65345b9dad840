import type { UserBody, Voucher } from './user';

/** Only the last two prove the address: an operator sees the link, too, and may hand it to somebody else. */
const RANK: Readonly<Record<Voucher, number>> = { operator: 1, mail: 2, provider: 2 };

const rankOf = ({ trust }: Pick<UserBody, 'trust'>): number => (trust ? RANK[trust.by] : 0);

/** True if the owner of the address has answered from it. */
export const isProved = (body: Pick<UserBody, 'trust'>): boolean => rankOf(body) === RANK.mail;

/** True if `by` says more than is known of the account: what was set up before may be somebody else's. */
export const isNewTrust = (body: Pick<UserBody, 'trust'>, by: Voucher): boolean => RANK[by] > rankOf(body);

/**
 * True if everything of the account ends when `by` vouches, by a link made at `madeAt` (ms). A link that was made after
 * somebody vouched ends nothing: the mail of somebody else is no way around the second factor. One that lay there when
 * another was used goes on, since that one may have been stolen.
 */
export const startsAfresh = (body: Pick<UserBody, 'trust'>, by: Voucher, madeAt: number): boolean =>
  isNewTrust(body, by) && (by === 'provider' || !body.trust || madeAt <= body.trust.at);

/**
 * The number that sessions and passkeys take from their account: those with an older one are dead, before anything has
 * removed them. Records of earlier releases have none.
 */
export const epochOf = ({ epoch = 0 }: { epoch?: number | undefined }): number => epoch;

/** True if the session or passkey was made since everything of the account last ended. */
export const isOfNow = (one: { epoch?: number | undefined }, user: Pick<UserBody, 'epoch'>): boolean =>
  epochOf(one) === epochOf(user);

/** The account once its password is to be chosen anew: sessions and passkeys end with it, in one change. */
const withoutPassword = (body: UserBody): UserBody => ({ ...body, password: null, epoch: epochOf(body) + 1 });

/** The account once trust has arrived: everything that lets somebody in ends. Its name and roles stay. */
export const startedAfresh = (body: UserBody, by: Voucher, at: number): UserBody => ({
  ...withoutPassword(body),
  totp: null,
  recovery: [],
  trust: { by, at },
});

/** The account once a link for a new password was used, and somebody vouched for it before: the second factor stays. */
export const resetBy = (body: UserBody, by: Voucher, at: number): UserBody => ({
  ...withoutPassword(body),
  ...(isNewTrust(body, by) && { trust: { by, at } }),
});
