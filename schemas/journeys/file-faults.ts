import { Reason, reasonsOf } from '../../lib/reason';

/** What may be wrong with the file of a journey beside its fields. */
export const fileFault = reasonsOf({
  step: ['Step {step}: {reason}', 'Langkah {step}: {reason}'],
  goal: ['Goal: {reason}', 'Tujuan: {reason}'],
  meant: ['{reason} Did you mean {meant}?', '{reason} Maksud Anda {meant}?'],
  steps: ['A journey has at most {most} steps.', 'Perjalanan bisa punya maksimal {most} langkah.'],
  no_type: ['A step must have fields, such as type: wait.', 'Langkah harus punya kolom isian, seperti type: wait.'],
  no_fields: [
    'The file must have fields, such as name: Welcome.',
    'File ini harus punya kolom isian, seperti name: Sambutan.',
  ],
  needs_audience: [
    'The trigger audience_join needs the field {field}.',
    'Pemicu audience_join memerlukan kolom isian {field}.',
  ],
  no_audience: ['The {field} field does not apply to the trigger api.', '{field} tidak berlaku untuk pemicu api.'],
  branches: ['Branches may be nested at most {most} deep.', 'Cabang boleh bersarang maksimal {most} tingkat.'],
  else: ['The {field} field must come behind the then field.', '{field} harus ditulis setelah then.'],
  no_steps: ['A branch must have steps in its then or else field.', 'Cabang harus punya langkah di then atau else.'],
  documents: ['The file must hold one YAML document only.', 'File ini hanya boleh berisi satu dokumen YAML.'],
  nested: ['This is nested too deeply.', 'Bagian ini bersarang terlalu dalam.'],
  parts: [
    'The file has too many parts for a journey.',
    'File ini punya terlalu banyak bagian untuk sebuah perjalanan.',
  ],
  yaml: ['This is not valid YAML: {message}.', 'Ini bukan YAML yang benar: {message}.'],
  directives: ['Directives (%) do not belong here.', 'Direktif (%) tidak boleh ada di sini.'],
  aliases: [
    'Aliases (*) do not belong here: write the value out.',
    'Alias (*) tidak boleh ada di sini: tulis nilainya.',
  ],
  anchors: ['Anchors (&) do not belong here.', 'Anchor (&) tidak boleh ada di sini.'],
  tags: ['Tags (!) do not belong here.', 'Tag (!) tidak boleh ada di sini.'],
  key: ['A key must be a plain word.', 'Kunci harus berupa satu kata biasa.'],
  twice: [
    'The {field} field is here twice, first on line {line}.',
    '{field} ada dua kali di sini, yang pertama di baris {line}.',
  ],
});

const innerOf = ({ values: { reason } }: Reason): Reason | null => (reason instanceof Reason ? reason : null);

/** The step and the field that a fault is about, if it is about one, and the fault without the step. */
export function placeOf(fault: Reason): { step: number | null; field: string | null; fault: Reason } {
  const { code, values } = fault;
  const inner = innerOf(fault);
  if (code === 'step' && inner) return { ...placeOf(inner), step: Number(values['step']) };
  const field = values['field'] ?? (code === 'meant' ? inner?.values['field'] : undefined);
  return { step: null, field: typeof field === 'string' ? field : null, fault };
}
