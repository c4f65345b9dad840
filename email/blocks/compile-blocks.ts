import type { Engine } from 'mrml';
import type { Block, SimpleBlock } from '../../domain/campaigns/block';
import type { Language } from '../../domain/settings/language';
import { escapeHtml } from '../html-escape';
import { markedHtml } from './marks';

const ACCENT = '#0b5c4b';
const INK = '#1d1c1a';
const SOFT = '#5c5954';
const FONT = 'Arial, Helvetica, sans-serif';

/** Loaded when a mail of blocks is first compiled: most processes never do. */
let engine: Promise<Engine> | null = null;
const loadEngine = async (): Promise<Engine> => new (await import('mrml')).Engine();

/**
 * The HTML of a mail from its blocks: tables that Outlook shows as well, and columns that stand below each other on a
 * phone. Merge tags stay as they are. Rejects with an Error when the compiler refuses what it was given, which is a
 * bug.
 */
export async function compileBlocks(blocks: readonly Block[], language: Language): Promise<string> {
  const mjml = `<mjml lang="${language}"><mj-head><mj-attributes><mj-all font-family="${FONT}" /></mj-attributes></mj-head><mj-body width="600px">${sections(blocks)}</mj-body></mjml>`;
  const result = (await (engine ??= loadEngine())).toHtml(mjml);
  if (result.type === 'success') return result.content;
  throw new Error(`the blocks do not compile: ${result.message}`);
}

const section = (columns: readonly string[]): string =>
  `<mj-section padding="8px 0">${columns.map((one) => `<mj-column>${one}</mj-column>`).join('')}</mj-section>`;

/** Blocks that follow each other share a section; columns have one of their own. */
function sections(blocks: readonly Block[]): string {
  const done: string[] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) done.push(section([open.join('')]));
    open = [];
  };
  for (const block of blocks) {
    if (block.kind !== 'columns') {
      open.push(element(block));
      continue;
    }
    close();
    done.push(section(block.columns.map((column) => column.map(element).join(''))));
  }
  close();
  return done.join('');
}

function element(block: SimpleBlock): string {
  switch (block.kind) {
    case 'heading':
      return textElement(
        `<h1 style="margin:0;font-size:24px;line-height:1.3;font-weight:700">${escapeHtml(block.text)}</h1>`,
        { align: block.align, size: '24px', line: '1.3', color: INK },
      );
    case 'text':
      return textElement(markedHtml(block.text), { align: block.align, size: '16px', line: '1.5', color: INK });
    case 'footer':
      return textElement(markedHtml(block.text), { align: 'center', size: '12px', line: '1.5', color: SOFT });
    case 'button': {
      const { url, label, color = ACCENT, align = 'center' } = block;
      return `<mj-button href="${escapeHtml(url)}" background-color="${color}" color="${inkOn(color)}" align="${align}" font-size="16px" font-weight="700" inner-padding="12px 24px" border-radius="6px">${escapeHtml(label)}</mj-button>`;
    }
    case 'image': {
      const link = block.link ? ` href="${escapeHtml(block.link)}"` : '';
      return `<mj-image src="${escapeHtml(block.url)}" alt="${escapeHtml(block.alt)}"${link} fluid-on-mobile="true" />`;
    }
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#dedad3" />';
  }
}

interface Look {
  align: string | undefined;
  size: string;
  line: string;
  color: string;
}

const textElement = (html: string, { align = 'left', size, line, color }: Look): string =>
  `<mj-text align="${align}" font-size="${size}" line-height="${line}" color="${color}">${html}</mj-text>`;

/** Black or white, whichever is read better on a colour (the luminance of WCAG 2.2). */
function inkOn(color: string): '#000000' | '#ffffff' {
  const channel = (at: number): number => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return luminance > 0.179 ? '#000000' : '#ffffff';
}
