import Joi from 'joi';
import { emailAddress } from '../rules/address-rules';
import { eitherOr, unless } from '../rules/alternatives';
import { consent, contactName, newContactShape, type NewContactFields } from './new-contact';
import type { Shape } from '../rules/normalize';

/**
 * The fields of POST /audiences/{id}/contacts: a contact by id, or the fields of POST /contacts
 * (docs/contract.md#members-of-an-audience).
 */
export const newMemberShape = { contact_id: 'integer', ...newContactShape } as const satisfies Shape;

export type NewMemberFields = { contact_id: number } | (NewContactFields & { contact_id?: never });

export const newMemberRules = Joi.object<NewMemberFields>({
  contact_id: Joi.number().integer().min(1),
  email: eitherOr('contact_id', emailAddress),
  name: unless('contact_id', contactName),
  consent: unless('contact_id', consent.required()),
}).meta({ variants: { present: 'MemberById', absent: 'MemberByEmail' } });
