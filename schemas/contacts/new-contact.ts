import Joi from 'joi';
import { emailAddress } from '../rules/address-rules';
import { text } from '../rules/text';
import type { Shape } from '../rules/normalize';
import { inJsonSchema } from '../rules/json-schema';

const MAX_NAME = 255;

/** A contact's name (docs/contract.md#create-a-contact). */
export const contactName = text(MAX_NAME);

/** Confirms the opt-in: only `true` is valid (docs/contract.md#create-a-contact). */
export const consent = Joi.any()
  .custom((value: unknown, { error }) => (value === true ? value : error('consent.required')))
  .meta(inJsonSchema({ type: 'boolean', const: true }));

export const newContactShape = { email: 'text', name: 'text', consent: 'boolean' } as const satisfies Shape;

export interface NewContactFields {
  email: string;
  name?: string;
  consent: true;
}

/**
 * A contact by address: POST /contacts, POST /audiences/{id}/contacts, POST /journeys/{id}/enroll
 * (docs/contract.md#create-a-contact).
 */
export const newContactRules = Joi.object<NewContactFields>({
  email: emailAddress.required(),
  name: contactName,
  consent: consent.required(),
});
