import Joi from 'joi';
import { contactName } from './new-contact';
import type { Shape } from './normalize';

export const renameContactShape = { name: 'text' } as const satisfies Shape;

export interface RenameContactFields {
  name?: string;
}

/** The fields of PATCH /contacts/{id} (docs/contract.md#rename-a-contact). */
export const renameContactRules = Joi.object<RenameContactFields>({ name: contactName });
