import { createHash } from 'node:crypto';
import { randomText } from '../../lib/random-text';

/** A token that cannot be guessed: 256 bits in letters and digits. */
export const newToken = (): string => randomText(43);

/** What is stored of a token: whoever reads the store cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
