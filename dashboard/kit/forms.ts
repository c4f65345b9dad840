import { findOperation } from '../../operations/catalogue';
import { fieldName, inputSchema, type Fault, type Input } from '../../operations/definition';
import type { Texts } from '../texts/texts';
import { html, NOTHING, type Html, type Piece } from './html';
import type { FormFields } from './screen';

/** A field of a form beside what the operation says of it. */
export interface FieldOptions {
  label: string;
  help?: Piece;
  /** What is chosen from, in place of a text. */
  choices?: readonly { value: string | number; label: string }[];
  /** Any number of these, each a box to check: sent as one text with commas (`boxesOf`). */
  boxes?: readonly { value: string; label: string }[];
  /** Several lines; `code`: in a fixed-width font. */
  lines?: 'text' | 'code';
  type?: string;
  autocomplete?: string;
  placeholder?: string;
}

export interface FormSpec {
  /**
   * The operation whose fields these are: what they must be, and which must be given, come from it. Or what a part of
   * an operation's input must be.
   */
  operation: string | ObjectSchema;
  /** In their order. A field that is not named is not asked for. */
  fields: Readonly<Record<string, FieldOptions>>;
  /** Where it is sent. */
  to: string;
  button: string;
  t: Texts;
  csrf: Html;
  /** What is filled in: what was sent before, or what is there now. */
  values?: Readonly<Record<string, unknown>>;
  fault?: Fault | null;
  /** What stands between the fields and the button: fields that the operation does not know one by one. */
  more?: Html;
  /** Buttons beside that of the form. */
  buttons?: Html;
}

interface FieldSchema {
  type: string | readonly string[];
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  description?: string;
}
/** What the fields of a form must be, in the words of JSON Schema. */
export interface ObjectSchema {
  properties: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

async function schemaOf(name: string): Promise<ObjectSchema> {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return inputSchema(operation) as ObjectSchema;
}

const isA = ({ type }: FieldSchema, wanted: string): boolean => [type].flat().includes(wanted);

/** The form of an operation: labels are the screen's, the rest is what the operation says. */
export async function formOf(spec: FormSpec): Promise<Html> {
  const schema = typeof spec.operation === 'string' ? await schemaOf(spec.operation) : spec.operation;
  const about =
    spec.fault && !(spec.fault.field !== null && spec.fault.field in spec.fields) ? spec.fault.message : null;
  const fields = Object.entries(spec.fields).map(([name, options]) => {
    const known = schema.properties[name];
    if (!known) throw new Error(`the form has a field ${name} that is not known`);
    const isRequired = schema.required?.includes(name) ?? false;
    return field(name, known, options, { spec, isRequired });
  });
  return html`<form class="fields" method="post" action="${spec.to}">
    ${spec.csrf}${spec.more === undefined ? NOTHING : html`<button class="sr" tabindex="-1" aria-hidden="true">${spec.button}</button>`}${
      about === null ? NOTHING : html`<p class="notice bad" role="alert">${about}</p>`
    }${fields}${spec.more ?? NOTHING}
    <p class="acts"><button>${spec.button}</button>${spec.buttons ?? NOTHING}</p>
  </form>`;
}

function field(
  name: string,
  schema: FieldSchema,
  options: FieldOptions,
  { spec, isRequired }: { spec: FormSpec; isRequired: boolean },
): Html {
  const fault = spec.fault?.field === name ? spec.fault.message : null;
  const value = spec.values?.[name];
  const described = [...(options.help ? [`${name}-help`] : []), ...(fault === null ? [] : [`${name}-fault`])].join(' ');
  const attributes = html`id="f-${name}"
  name="${name}"${described ? html` aria-describedby="${described}"` : NOTHING}${
    fault === null ? NOTHING : html` aria-invalid="true"`
  }`;
  const below = html`${options.help ? html`<p class="help" id="${name}-help">${options.help}</p>` : NOTHING}${
    fault === null ? NOTHING : html`<p class="fault" id="${name}-fault">${fault}</p>`
  }`;
  if (isA(schema, 'boolean')) {
    const isOn = value === true || value === 'on';
    // An unchecked box sends nothing: this says that it was there.
    return html`<div>
      <input type="hidden" name="${name}" value="off" /><label
        ><input type="checkbox" ${attributes} value="on" ${isOn ? html` checked` : NOTHING} />${options.label}</label
      >${below}
    </div>`;
  }
  if (options.boxes) return boxes(name, options, { value: shown(value), below });
  const label = html`<label for="f-${name}"
    >${options.label}${isRequired ? html` <span class="soft">(${spec.t.required})</span>` : NOTHING}</label
  >`;
  return html`<div>${label}${control(schema, options, { attributes, text: shown(value), isRequired })}${below}</div>`;
}

function boxes(
  name: string,
  { label, boxes: choices = [] }: FieldOptions,
  { value, below }: { value: string; below: Html },
): Html {
  const checked = value.split(',');
  return html`<fieldset>
    <legend class="label">${label}</legend>
    ${choices.map(
      (one) =>
        html`<label class="box"
          ><input
            type="checkbox"
            name="${name}"
            value="${one.value}"
            ${checked.includes(one.value) ? html` checked` : NOTHING}
          />${one.label}</label
        >`,
    )}${below}
  </fieldset>`;
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

function control(
  schema: FieldSchema,
  options: FieldOptions,
  { attributes, text, isRequired }: { attributes: Html; text: string; isRequired: boolean },
): Html {
  const choices = options.choices ?? schema.enum?.map((value) => ({ value, label: value }));
  const needed = isRequired ? html` required` : NOTHING;
  if (choices) {
    const empty = isRequired ? NOTHING : html`<option value=""></option>`;
    return html`<select ${attributes}${needed}>
      ${empty}${choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${String(value) === text ? html` selected` : NOTHING}>${label}</option>`,
      )}
    </select>`;
  }
  if (options.lines || isA(schema, 'array')) {
    return html`<textarea
      ${attributes}${needed}
      class="${options.lines === 'code' ? 'code' : ''}"
      spellcheck="${options.lines === 'code' ? 'false' : 'true'}"
    >
${text}</textarea>`;
  }
  const limits = [
    attribute('maxlength', schema.maxLength),
    attribute('min', schema.minimum),
    attribute('max', schema.maximum),
  ];
  const more = [attribute('autocomplete', options.autocomplete), attribute('placeholder', options.placeholder)];
  return html`<input
    ${attributes}${needed}
    type="${options.type ?? typeOf(schema)}"
    value="${text}"
    ${limits}${more}
  />`;
}

const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? NOTHING : html` ${name}="${value}"`;

function typeOf(schema: FieldSchema): string {
  if (isA(schema, 'integer') && !isA(schema, 'string')) return 'number';
  return schema.format === 'email' ? 'email' : 'text';
}

/** What a form sends, as the input of an operation: only fields that it has; an empty text is none. */
export async function inputOf(operation: string, form: FormFields, more: Input = {}): Promise<Input> {
  const { properties } = await schemaOf(operation);
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const texts = form.get(name);
    if (texts) input[name] = valueOf(schema, texts);
  }
  return { ...input, ...more };
}

function valueOf(schema: FieldSchema, texts: readonly string[]): unknown {
  const text = texts.at(-1) ?? '';
  if (isA(schema, 'boolean')) return text === 'on';
  if (isA(schema, 'array'))
    return texts
      .flatMap((one) => one.split('\n'))
      .map((one) => one.trim())
      .filter(Boolean);
  return text === '' ? null : text;
}

/** A field of the type `datetime-local`, which has no zone: it is meant in WIB. Null when nothing was filled in. */
export function wibTimeOf(form: FormFields, name: string): string | null {
  const text = form.get(name)?.at(-1) ?? '';
  return /^\d{4}-\d{2}-\d{2}T[\d:]+$/.test(text) ? `${text}+07:00` : text || null;
}

/** What a form sent, to fill it in again. */
export const sentOf = (form: FormFields): Record<string, unknown> =>
  Object.fromEntries([...form].map(([name, texts]) => [fieldName(name), texts.at(-1)]));

/** The boxes of a field that were checked, as one text with commas; empty for none. */
export const boxesOf = (form: FormFields, name: string): string => (form.get(name) ?? []).join(',');
