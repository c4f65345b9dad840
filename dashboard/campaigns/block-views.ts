import type { BlockFault } from '../../schemas/campaigns/blocks';
import { ALIGNMENTS, BLOCK_KINDS, SIMPLE_KINDS } from '../../domain/campaigns/block';
import { html, NOTHING, type Html } from '../kit/html';
import { ACCEPTED } from '../images/images';
import type { Texts } from '../texts/texts';
import { filled } from '../texts/texts';
import type { BlockImages } from './block-images';
import { BLOCK_FIELDS, ROOT, type BlockField, type DraftBlock } from './block-fields';

const KIND_TEXTS = {
  heading: 'blocksHeading',
  text: 'blocksText',
  button: 'blocksButton',
  image: 'blocksImage',
  columns: 'blocksColumns',
  divider: 'blocksDivider',
  footer: 'blocksFooter',
} as const satisfies Record<(typeof BLOCK_KINDS)[number], keyof Texts>;

const FIELD_TEXTS = {
  text: 'blocksWords',
  align: 'blocksAlign',
  label: 'blocksLabel',
  url: 'blocksUrl',
  color: 'blocksColor',
  alt: 'blocksAlt',
  link: 'blocksLink',
} as const satisfies Record<BlockField, keyof Texts>;

const ALIGN_TEXTS = { left: 'blocksLeft', center: 'blocksCenter', right: 'blocksRight' } as const;

const isKind = (kind: string): kind is keyof typeof BLOCK_FIELDS => Object.hasOwn(BLOCK_FIELDS, kind);

function control(t: Texts, kind: string, name: BlockField, id: string, value: string): Html {
  if (name === 'align') {
    return html`<select id="${id}" name="${id}">
      <option value="">${t.blocksAlignUsual}</option>
      ${ALIGNMENTS.map((one) => html`<option value="${one}" ${one === value ? html` selected` : NOTHING}>${t[ALIGN_TEXTS[one]]}</option>`)}
    </select>`;
  }
  if (kind === 'image' && name === 'url') {
    return html`<input id="${id}" name="${id}" value="${value}" list="images" />`;
  }
  const isLong = name === 'text' && kind !== 'heading';
  return isLong
    ? html`<textarea id="${id}" name="${id}">
${value}</textarea>`
    : html`<input id="${id}" name="${id}" value="${value}" />`;
}

/** A field, and below it what is still to be written there. */
const field = (t: Texts, kind: string, name: BlockField, id: string, value: string, why: string | undefined): Html =>
  html`<div>
    <label for="${id}">${t[FIELD_TEXTS[name]]}</label>${control(t, kind, name, id, value)}
    ${why !== undefined && html`<p class="fault" id="${id}.fault">${why}</p>`}
  </div>`;

const PROBLEM_TEXTS = {
  missing: 'blocksMissing',
  wrong: 'blocksWrong',
  long: 'blocksLong',
} as const satisfies Record<BlockFault['problem'], keyof Texts>;

/** What is still to be written, in words, by the id of its field. */
const faultsOf = (t: Texts, faults: readonly BlockFault[]): ReadonlyMap<string, string> =>
  new Map(
    faults.map(({ at, kind, field: name, problem }) => {
      const values = { block: t[KIND_TEXTS[kind]], field: isField(name) ? t[FIELD_TEXTS[name]] : name };
      return [`${[ROOT, ...at].join('.')}.${name}`, filled(t[PROBLEM_TEXTS[problem]], values)];
    }),
  );

const isField = (name: string): name is BlockField => Object.hasOwn(FIELD_TEXTS, name);

/** A button that changes the list and shows it again; nothing is stored by it. */
const change = (label: string, command: string, about: string, more: Html = NOTHING): Html =>
  html`<button
    class="plain small"
    name="change"
    value="${command}"
    formnovalidate
    aria-label="${about}"
    hx-post=""
    hx-target="#blocks"
    hx-swap="outerHTML"
    ${more}
  >
    ${label}
  </button>`;

/** A file from this machine in place of an address. */
function upload(t: Texts, at: string, title: string, { fault }: BlockImages): Html {
  const why = fault?.at === at ? fault.message : null;
  const multipart = html` formenctype="multipart/form-data" hx-encoding="multipart/form-data"`;
  return html`<div>
    <label for="${at}.file">${t.imagesFile}</label>
    <input
      id="${at}.file"
      name="${at}.file"
      type="file"
      accept="${ACCEPTED}"
      aria-describedby="${at}.help${why === null ? '' : ` ${at}.fault`}"
    />
    <p class="help" id="${at}.help">${t.imagesHelp}</p>
    ${why !== null && html`<p class="fault" id="${at}.fault" role="alert">${why}</p>`}
    ${change(t.imagesAdd, `upload ${at}`, filled(t.imagesUpload, { block: title }), multipart)}
  </div>`;
}

/** What stands beside the fields of blocks. */
interface Beside {
  t: Texts;
  images: BlockImages;
  faults: ReadonlyMap<string, string>;
}

function blockView(beside: Beside, block: DraftBlock, at: string, n: number): Html {
  const { t, images, faults } = beside;
  const { kind, fields, columns } = block;
  if (!isKind(kind)) return NOTHING;
  const title = `${n + 1}. ${t[KIND_TEXTS[kind]]}`;
  const about = (what: string): string => filled(what, { block: title });
  return html`<fieldset class="block">
    <legend>${title}</legend>
    <input type="hidden" name="${at}.kind" value="${kind}" />
    ${BLOCK_FIELDS[kind].map((name) => field(t, kind, name, `${at}.${name}`, fields[name] ?? '', faults.get(`${at}.${name}`)))}
    ${kind === 'image' && upload(t, at, title, images)}
    ${kind === 'text' ? html`<p class="help">${t.blocksMarks}</p>` : NOTHING}
    ${
      columns.length > 0 &&
      html`<div class="split">
        ${columns.map(
          (list, column) =>
            html`<div>
              <p class="label">${filled(t.blocksColumn, { n: column + 1 })}</p>
              ${listView(beside, list, `${at}.${column}`, SIMPLE_KINDS)}
            </div>`,
        )}
      </div>`
    }
    <p class="acts">
      ${change('↑', `up ${at}`, about(t.blocksUp))}${change('↓', `down ${at}`, about(t.blocksDown))}
      ${change(t.blocksRemove, `remove ${at}`, about(t.blocksRemoveAbout))}
    </p>
  </fieldset>`;
}

function listView(
  beside: Beside,
  blocks: readonly DraftBlock[],
  at: string,
  kinds: readonly (keyof typeof KIND_TEXTS)[],
): Html {
  const { t } = beside;
  return html`${blocks.map((block, n) => blockView(beside, block, `${at}.${n}`, n))}
    <p class="acts">
      <span class="soft">${t.blocksAdd}</span>
      ${kinds.map((kind) => change(t[KIND_TEXTS[kind]], `add ${at} ${kind}`, `${t.blocksAdd} ${t[KIND_TEXTS[kind]]}`))}
    </p>`;
}

/** The blocks of a mail as fields, with buttons that add, move and remove. */
export const blocksView = (
  t: Texts,
  blocks: readonly DraftBlock[],
  images: BlockImages,
  faults: readonly BlockFault[] = [],
): Html =>
  html`<section id="blocks">
    <h2>${t.blocksTitle}</h2>
    ${listView({ t, images, faults: faultsOf(t, faults) }, blocks, ROOT, BLOCK_KINDS)}
    <datalist id="images">${images.all.map(({ url, name }) => html`<option value="${url}">${name}</option>`)}</datalist>
  </section>`;
