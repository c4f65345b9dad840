import { sign, type KeyObject } from 'node:crypto';

/** Makes the RSA signatures of DKIM: half of all CPU time of a mail, so never on the thread that serves requests. */
export interface Signatures {
  /** The rsa-sha256 signature of the UTF-8 bytes of `data`, in base64 on one line. Rejects when the key cannot sign. */
  rsaSha256(data: string, key: KeyObject): Promise<string>;
  close(): Promise<void>;
}

/** Signatures on libuv's thread pool: one job and its wake-ups for each. */
export const poolSignatures: Signatures = {
  rsaSha256: (data, key) =>
    new Promise((resolve, reject) => {
      sign('sha256', Buffer.from(data, 'utf8'), key, (error, signature) =>
        error ? reject(error) : resolve(signature.toString('base64')),
      );
    }),
  close: async () => undefined,
};
