import { escapeHtml } from '../html-escape';

/** A link in a text: `[words](https://…)`; what is no link stays as it was written. */
const LINK = /\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:|tel:|\{\{)[^\s)]{1,2000})\)/g;

const marked = (escaped: string): string =>
  escaped
    .replace(LINK, (_, words: string, url: string) => `<a href="${url}" style="color:#0b5c4b">${words}</a>`)
    .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(>])_([^_\n]+)_(?=$|[\s).,;:!?<])/g, '$1<em>$2</em>');

/** Paragraphs of a text as HTML: an empty line begins a new one, and lines stay lines. */
export const markedHtml = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter(Boolean)
    .map(
      (one, n) =>
        `<p style="margin:${n === 0 ? '0' : '12px 0 0'}">${marked(escapeHtml(one)).replaceAll('\n', '<br />')}</p>`,
    )
    .join('');
