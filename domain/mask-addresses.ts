/** A local part as servers write it: not what encloses or introduces an address. Bounded, so that no text takes long. */
const LOCAL = String.raw`(?:"(?:[^"\\\r\n]|\\.){1,64}"|[^\s<>()[\]{},;:"'@\\]{1,128})`;
const AT = '(?:@|%40|=40(?=[a-z0-9.-]+\\.[a-z]))';
const DOMAIN = String.raw`(?:\[[^\]\s]{1,64}\]|[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?)`;
const ADDRESS = new RegExp(`${LOCAL}${AT}(?=${DOMAIN})`, 'giu');

/**
 * The text of a server with every address in it made unknown: `<***@contoh.id>`. Codes, reasons and domains stay, since they tell
 * what went wrong. Replies and reports name the recipient, and a record of the log can never be changed again.
 */
export const maskAddresses = (text: string): string => text.replace(ADDRESS, '***@');
