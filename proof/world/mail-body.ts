/** A mail with its quoted-printable parts decoded. */
export const bodyOf = (source: string): string =>
  source.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
