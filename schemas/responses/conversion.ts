import Joi from 'joi';
import type { LinkedConversion } from '../../domain/conversions/conversion';
import type { Explanation, ShownClick } from '../../domain/conversions/explanation';
import { inJsonSchema } from '../rules/json-schema';
import { objectTime as timeText } from '../rules/timestamps';
import { list, named, nullable, optional, type ValueOf } from './closed';
import { objectTime, url, uuid } from './fields';
import { page } from './page';

/** POST /conversions (docs/contract.md#report-a-conversion). */
export const conversionAnswer = named(
  'Conversion',
  {
    received: Joi.boolean()
      .meta(inJsonSchema({ const: true }))
      .description('Always true.'),
    duplicate: Joi.boolean().description('The order_id was used before; nothing new was recorded.'),
    warnings: optional(list(Joi.string())).description(
      'A warning if the request names a currency other than rupiah. Omitted if there is none.',
    ),
  },
  'The outcome of a reported sale.',
);

const fields = {
  id: uuid.description('The id of the conversion.'),
  amount: Joi.number().integer().min(0).description('Whole rupiah.'),
  order_id: nullable(Joi.string()).description(
    'As it was reported, or its hash if it may contain an address; null without one, and once the contact was deleted.',
  ),
  message_id: uuid.description('The message that was clicked.'),
  occurred_at: objectTime.description('When the sale was made.'),
};
const example = {
  id: '01a05c30-11f0-7d2e-8c61-9a0c4d7e2b10',
  amount: 250_000,
  order_id: 'INV-2026-0917',
  message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
  occurred_at: '2026-09-22T05:40:00.000000Z',
};

const sale = named('LinkedConversion', fields, 'A sale that is linked to an email.').example(example);

const clicked = {
  at: objectTime.description('When it was clicked.'),
  url: nullable(url).description('The destination of the click; null if it is unknown.'),
};
const click = named('ConversionClick', clicked, 'The click that a sale is linked to.');
const passedOver = named(
  'PassedOverClick',
  { ...clicked, why: Joi.string().description('Why it was not chosen.') },
  'A click that a sale is not linked to.',
);

export const presentConversion = ({
  id,
  amount,
  orderId,
  occurredAt,
  link,
}: LinkedConversion): ValueOf<typeof sale> => ({
  id,
  amount,
  order_id: orderId,
  message_id: link.messageId,
  occurred_at: timeText(occurredAt),
});

/** GET /conversions. */
export const conversionPageAnswer = page('ConversionPage', sale, 'conversions');

/** GET /conversions/{id}. */
export const shownConversionAnswer = named(
  'ShownConversion',
  {
    ...fields,
    click: click.description('The click it is linked to.'),
    passed_over: list(passedOver).description('The other clicks close to the sale, newest first.'),
  },
  'A sale, and why it is linked.',
).example({
  ...example,
  click: { at: '2026-09-22T05:12:09.000000Z', url: 'https://tokomelati.example/promo' },
  passed_over: [
    { at: '2026-09-22T05:55:10.000000Z', url: 'https://tokomelati.example/', why: 'after the sale' },
    { at: '2026-09-21T08:02:44.000000Z', url: 'https://tokomelati.example/', why: 'a later click was chosen' },
  ],
});

const presentClick = ({ at, url: to }: ShownClick): ValueOf<typeof click> => ({ at: timeText(at), url: to });

export const presentExplained = (
  of: LinkedConversion,
  explained: Explanation,
): ValueOf<typeof shownConversionAnswer> => ({
  ...presentConversion(of),
  // A sale that is linked has one.
  click: presentClick(explained.click!),
  passed_over: explained.passedOver.map(({ why, ...other }) => ({ ...presentClick(other), why })),
});
