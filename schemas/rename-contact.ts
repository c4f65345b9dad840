import Joi from 'joi';
import { contactName } from './new-contact';
import type { Shape } from './normalize';

export const renameContactShape = { name: 'text' } as const satisfies Shape;

export interface RenameContactFields {
  name?: string;
}

/** The fields of PATCH /contacts/{id} (DESIGN section 6). */
export const renameContactRules = Joi.object<RenameContactFields>({ name: contactName });
