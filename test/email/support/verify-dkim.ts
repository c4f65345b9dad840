import { dkimVerify } from 'mailauth/lib/dkim/verify';

/**
 * What an independent verifier says of a mail of demo.kurir.test, given the TXT value that is published for the
 * selector k1.
 */
export async function verifyDkim(
  raw: Buffer,
  publicKeyDns: string,
): Promise<{ result: string; aligned: unknown; tags: Record<string, string> }> {
  const resolver = (name: string): Promise<string[][]> =>
    name === 'k1._domainkey.demo.kurir.test'
      ? Promise.resolve([publicKeyDns.match(/.{1,255}/g) ?? []])
      : Promise.reject(new Error(name));
  const { results } = await dkimVerify(raw, { resolver });
  const signature = /^DKIM-Signature: ((?:.*\r\n )*.*)\r\n/.exec(raw.toString('latin1'))?.[1] ?? '';
  const tags = signature
    .replace(/\s+/g, '')
    .split(';')
    .map((tag): [string, string] => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]);
  return {
    result: String(results[0]?.status.result),
    aligned: results[0]?.status.aligned,
    tags: Object.fromEntries(tags),
  };
}
