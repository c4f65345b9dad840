import {
  fieldName,
  inputSchema,
  type Fault,
  type FieldSchema,
  type Input,
  type ObjectSchema,
  type Operation,
} from '../../operations/definition';
import type { Texts } from '../texts/texts';
import { html, NOTHING, type Html, type Piece } from './html';
import { options as optionsOf } from './components';
import type { FormFields, Visit } from './screen';

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

/** What a form sent, and why it was refused. */
export interface Sent {
  values: Readonly<Record<string, unknown>>;
  fault: Fault;
}

/** The fields that a form may have. */
type FieldOf<O> = O extends Operation<infer I> ? keyof I & string : string;

export interface FormSpec<O extends Operation | ObjectSchema> {
  /**
   * The operation whose fields these are: what they must be, and which must be given, come from it. Or what a part of
   * an operation's input must be.
   */
  operation: O;
  /** In their order. A field that is not named is not asked for. */
  fields: { readonly [K in FieldOf<NoInfer<O>>]?: FieldOptions };
  /** Where it is sent. */
  to: string;
  button: string;
  /** What is filled in: what was sent before, or what is there now. */
  values?: Readonly<Record<string, unknown>>;
  fault?: Fault | null;
  /** What was refused, in place of both. */
  sent?: Sent | null;
  /** Fields that nobody sees. */
  hidden?: Readonly<Record<string, string | number>>;
  /** What stands between the fields and the button: fields that the operation does not know one by one. */
  more?: Html;
  /** Buttons beside that of the form. */
  buttons?: Html;
}

const isA = ({ type }: FieldSchema, wanted: string): boolean => [type].flat().includes(wanted);

/** The form of an operation: labels are the screen's, the rest is what the operation says. */
export function formOf<O extends Operation | ObjectSchema>(
  { t, csrf }: Pick<Visit, 't' | 'csrf'>,
  spec: FormSpec<O>,
): Html {
  const { values = {}, fault = null } = spec.sent ?? spec;
  const of: Operation | ObjectSchema = spec.operation;
  const schema: ObjectSchema = 'role' in of ? inputSchema(of) : of;
  const about = fault && !(fault.field !== null && fault.field in spec.fields) ? fault.message : null;
  const fields = Object.entries<FieldOptions | undefined>(spec.fields).map(([name, options]) => {
    if (!options) return NOTHING;
    const known = schema.properties[name];
    if (!known) throw new Error(`the form has a field ${name} that is not known`);
    const isRequired = schema.required?.includes(name) ?? false;
    return field(name, known, options, { t, values, fault, isRequired });
  });
  return html`<form class="fields" method="post" action="${spec.to}">
    ${csrf}${hiddenFields(spec.hidden ?? {})}${spec.more === undefined ? NOTHING : html`<button class="sr" tabindex="-1" aria-hidden="true">${spec.button}</button>`}${
      about === null ? NOTHING : html`<p class="notice bad" role="alert">${about}</p>`
    }${fields}${spec.more ?? NOTHING}
    <p class="acts"><button>${spec.button}</button>${spec.buttons ?? NOTHING}</p>
  </form>`;
}

function field(
  name: string,
  schema: FieldSchema,
  options: FieldOptions,
  of: Omit<Sent, 'fault'> & { t: Texts; fault: Fault | null; isRequired: boolean },
): Html {
  const { t, isRequired } = of;
  const fault = of.fault?.field === name ? of.fault.message : null;
  const value = of.values[name];
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
    >${options.label}${isRequired ? html` <span class="soft">(${t.required})</span>` : NOTHING}</label
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
      ${empty}${optionsOf(choices, text)}
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
export function inputOf(operation: Operation, form: FormFields, more: Input): Input {
  const { properties } = inputSchema(operation);
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

/** Fields that a form sends along. */
export const hiddenFields = (fields: Readonly<Record<string, string | number>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;

/** What a form sent, to fill it in again. */
export const sentOf = (form: FormFields): Record<string, unknown> =>
  Object.fromEntries([...form].map(([name, texts]) => [fieldName(name), texts.at(-1)]));

/** What the form of the visit sent, and why it was refused. */
export const refusedForm = ({ form }: Visit, fault: Fault): Sent => ({ values: sentOf(form), fault });

/** The boxes of a field that were checked, as one text with commas; empty for none. */
export const boxesOf = (form: FormFields, name: string): string => (form.get(name) ?? []).join(',');
