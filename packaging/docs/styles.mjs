// The site may have no style within a page: the policy that it is served under forbids it. So the colours of code are
// classes.
import { createHash } from 'node:crypto';

/** A transformer of highlighted code, and the style sheet of all it has met. */
export function codeStyles() {
  const known = new Map();
  const toClass = (node) => {
    const { style, ...properties } = node.properties;
    if (typeof style !== 'string') return;
    const name = `c${createHash('sha256').update(style).digest('hex').slice(0, 6)}`;
    known.set(name, style);
    node.properties = { ...properties, class: [properties.class ?? [], name].flat().join(' ') };
  };
  return {
    transformer: { name: 'kurir:classes', enforce: 'post', span: toClass, pre: toClass },
    sheet: () => [...known].map(([name, style]) => `.${name}{${style}}\n`).join(''),
  };
}

/** Tables align their cells by a class, too. */
export function alignByClass(md) {
  md.core.ruler.push('kurir:align', ({ tokens }) => {
    for (const token of tokens) {
      const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
      if (!side) continue;
      token.attrs = token.attrs.filter(([name]) => name !== 'style');
      token.attrJoin('class', side);
    }
  });
}

/** Moves scripts out of pages into files, and leaves styles of elements to the script that sets them again. */
export function inlineScripts(base) {
  const files = new Map();
  const move = (whole, attributes, code) => {
    const name = `inline.${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
    files.set(name, code);
    return `<script${attributes} src="${base}assets/${name}"></script>`;
  };
  return {
    files,
    out: (html) =>
      html
        .replace(/(<div[^>]*) style="[^"]*"/g, '$1')
        .replace(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]+?)<\/script>/g, move),
  };
}
