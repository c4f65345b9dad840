/**
 * An address its owner recognises and a stranger cannot use: `b•••@contoh.com`. A mail may have been forwarded, so a
 * page that anybody with the link can open does not show the whole of it; nor does what outlives the contact.
 */
export function hintOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = '', ...rest] = [...address.slice(0, at)];
  return `${rest.length > 0 ? first : ''}•••${address.slice(at)}`;
}
