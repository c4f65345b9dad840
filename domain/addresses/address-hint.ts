/**
 * A masked address that its owner recognises and a stranger cannot use: `b•••@contoh.com`. A mail may be forwarded, so
 * a page that anyone with the link can open does not show the full address; neither does data that outlives the
 * contact.
 */
export function hintOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = '', ...rest] = [...address.slice(0, at)];
  return `${rest.length > 0 ? first : ''}•••${address.slice(at)}`;
}
