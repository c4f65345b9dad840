import type { JsonSchema } from '../../schemas/rules/json-schema';

export interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: JsonSchema;
}

export interface DocumentedOperation {
  operationId: string;
  parameters?: DocumentedParameter[];
  requestBody?: { description: string; content: DocumentedResponse['content'] };
  responses: Record<string, DocumentedResponse>;
}

export interface DocumentedResponse {
  headers: Record<string, object>;
  content: Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
}

export interface OpenApiDocument {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JsonSchema>; headers: Record<string, object> };
}
