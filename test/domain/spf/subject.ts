/** Cases about one subject, with the zone that they look at; see `SUBJECTS`. */
export interface Subject {
  subject: string;
  zone: string;
  cases: string;
}

/** The name of an IPv6 address whose 23 nibbles in the middle are 0. */
export const nibbles = (head: string, tail: string): string => `${head}.${'0.'.repeat(23)}${tail}.ip6.arpa`;
