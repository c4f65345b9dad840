import type { JsonSchema } from '../../schemas/rules/json-schema';
import { API_PREFIX, type Route } from '../route';
import { headerComponents, responsesOf } from './answers';
import { commonErrors } from './common-errors';
import { introduction } from './introduction';
import type { Components } from './json-schema';
import { TAGS } from './operation';
import { bodyOf, parametersOf } from './request';

/** The version of the contract, as in the path prefix (docs/contract.md#version). */
const VERSION = '1';

/**
 * Builds the OpenAPI 3.1 document of the routes, from the same schemas that check requests and responses.
 * `publicUrl`: base of the installation, without a trailing slash.
 */
export function apiDocument(routes: readonly Route[], publicUrl: string): JsonSchema {
  const components: Components = new Map();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const tags = new Set<string>();
  for (const route of routes) {
    tags.add(route.tag);
    const path = (paths[route.path.replace(/:(\w+)/g, '{$1}')] ??= {});
    path[route.method.toLowerCase()] = describe(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kurir API',
      version: VERSION,
      description: introduction,
      contact: { name: 'Administrator of this Kurir installation', url: `${publicUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${API_PREFIX}` }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (tags.has(name) ? [{ name, description }] : [])),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: `kurir_sk_` and 32 letters or digits. The roles of an operation are scopes of the key.',
        },
      },
      headers: headerComponents,
      schemas: Object.fromEntries(components),
    },
  };
}

function describe(route: Route, components: Components): JsonSchema {
  const { id, tag, summary, description, answers, refusals = [] } = route;
  const parameters = parametersOf(route, components);
  const scope = route.scope === 'any' ? 'Any scope.' : `Scope \`${route.scope}\`.`;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${scope} ${description}`,
    security: [{ apiKey: route.scope === 'any' ? [] : [route.scope] }],
    'x-scope': route.scope,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: bodyOf(route.body, route, components) }),
    responses: responsesOf(answers, [...commonErrors(route), ...refusals], components),
  };
}
