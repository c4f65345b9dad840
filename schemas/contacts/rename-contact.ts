import Joi from 'joi';
import { contactName } from './new-contact';
import type { Shape } from '../rules/normalize';

export const renameContactShape = { name: 'clearable' } as const satisfies Shape;

export interface RenameContactFields {
  /** Null clears it. */
  name?: string | null;
}

/** The fields of PATCH /contacts/{id} (docs/contract.md#rename-a-contact). */
export const renameContactRules = Joi.object<RenameContactFields>({ name: contactName.allow(null) });
