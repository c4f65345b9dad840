import { wibYear } from '../domain/wib';
import type { Variables } from '../domain/messages/message';
import { cleanValue, mergeRaw, variableField, type MergeValues } from './merge-tags';

/** The data for the merge tags of one mail. */
interface MergeFacts {
  to: string;
  contactName: string | null;
  business: { name: string; address: string };
  unsubscribeUrl: string;
  /** The page that shows the mail; null: there is none. */
  browserUrl: string | null;
  /** As written, with its own tags unfilled; null: none. */
  preheader: string | null;
  /** The subject as accepted, with its own tags unfilled. */
  subject: string;
  /** The values of its own tags. */
  variables?: Variables;
  /** ms */
  now: number;
}

const FIRST_WORD = /^\S*/;

/**
 * The value of every merge field (docs/contract.md#merge-tags). `subject` and `preheader` are merged themselves; inside
 * them their own tag is empty, and so is that of the preheader inside the subject.
 */
export function mergeValues(facts: MergeFacts): MergeValues {
  const name = cleanValue(facts.contactName ?? '');
  const { variables = {} } = facts;
  const names = Object.keys(variables);
  const own = names.map((each) => [variableField(each), cleanValue(variables[each]!)] as const);
  const values: { -readonly [F in keyof MergeValues]: MergeValues[F] } = {
    ...Object.fromEntries(own),
    email: cleanValue(facts.to),
    name,
    firstName: FIRST_WORD.exec(name)![0],
    business: cleanValue(facts.business.name),
    address: cleanValue(facts.business.address),
    unsubscribe: facts.unsubscribeUrl,
    year: String(wibYear(facts.now)),
    subject: '',
    browser: facts.browserUrl ?? '',
    preheader: '',
  };
  values.subject = cleanValue(mergeRaw(facts.subject, values, names));
  if (facts.preheader !== null) values.preheader = cleanValue(mergeRaw(facts.preheader, values));
  return values;
}
