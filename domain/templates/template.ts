/** Types of the variables of a template (docs/contract.md#template). */
export const VARIABLE_TYPES = ['string', 'number', 'url'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export interface TemplateVariable {
  /** Lower case; no merge tag has this name. */
  name: string;
  type: VariableType;
}

/** What a template holds besides its name. */
export interface TemplateContent {
  subject: string;
  html: string;
  /** Null: made from the html. */
  text: string | null;
  /** At most one of a name. */
  variables: TemplateVariable[];
}

/** Content that messages are composed from (docs/contract.md#template). A message keeps a copy. */
export interface Template extends TemplateContent {
  id: number;
  workspaceId: number;
  /** Unique within the workspace. */
  name: string;
  /** Grows by one with each edit. */
  version: number;
  createdAt: number;
  updatedAt: number;
}
