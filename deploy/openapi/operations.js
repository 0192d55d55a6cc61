import {
  hasEtag,
  hasPreconditions,
  isPaged,
  isSpamChecked,
  isVoid,
  refusalsOf,
  takesBody,
} from './endpoint.js';
import { COMMON_HEADERS, PAGE_HEADERS } from './headers.js';
import { exampleOf } from './examples.js';
import { pathParameters } from './path-parameters.js';
import { formOf, objectOf, queryOf } from './requests.js';
import { bareRefusal, refusalReference } from './responses.js';
import { sentMedia } from './sent-media.js';

/** @typedef {import('./routes.js').Route} Route */
/** @typedef {import('./sources.js').HandlerSource} HandlerSource */
/** @typedef {import('./endpoint.js').Endpoint} Endpoint */
/** @typedef {import('./schemas.js').Schema} Schema */

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const SCHEMAS = '#/components/schemas';
const REDIRECT = { headers: { Location: { $ref: '#/components/headers/Location' } } };

/** Puts one operation together. */
export class Operations {
  /**
   * @param {import('./schemas.js').Schemas} schemas
   * @param {import('./access.js').Access} access
   */
  constructor(schemas, access) {
    this.schemas = schemas;
    this.access = access;
  }

  /**
   * @param {Endpoint} endpoint
   * @param {string} tag
   */
  operation(endpoint, tag) {
    const { route, source } = endpoint;
    const { summary, rest } = splitDoc(source.doc);
    const description = [rest, this.access.sentences(route)].filter((text) => text !== '');
    const body = this.#bodyOf(endpoint);
    return {
      operationId: operationId(route),
      tags: [tag],
      summary: summary || operationId(route),
      description: description.join('\n\n'),
      ...this.access.describe(route),
      parameters: this.#parametersOf(endpoint),
      ...(body && { requestBody: body }),
      responses: this.#responsesOf(endpoint),
    };
  }

  /** @param {Endpoint} endpoint */
  #parametersOf(endpoint) {
    const { route } = endpoint;
    const shared = (/** @type {string} */ name) => ({ $ref: `#/components/parameters/${name}` });
    return [
      ...pathParameters(endpoint),
      ...(takesBody(route) ? [] : queryOf(endpoint.params)),
      ...(isPaged(endpoint) ? [shared('Page'), shared('PerPage')] : []),
      ...(hasPreconditions(endpoint) ? [shared('IfUnmodifiedSince')] : []),
      ...(hasEtag(endpoint) ? [shared('IfNoneMatch')] : []),
      ...(isSpamChecked(endpoint) ? [shared('CaptchaResponse'), shared('SpamLogId')] : []),
      ...(route.scopes === null ? [] : [shared('Sudo')]),
    ];
  }

  /** @param {Endpoint} endpoint */
  #bodyOf({ route, params, dto, example }) {
    if (!takesBody(route) || dto === null || params.length === 0) return null;
    const name = dto.replace(/Dto$/, 'Params');
    this.schemas.components[name] = objectOf(params);
    const hasLists = params.some(({ isList }) => isList);
    if (hasLists) this.schemas.components[`${name}Form`] = formOf(params);
    const hasFiles = params.some(({ schema }) => schema['format'] === 'binary');
    const form = hasLists ? `${name}Form` : name;
    const media = (/** @type {string} */ key) => ({
      schema: { $ref: `${SCHEMAS}/${key}` },
      example: example ?? this.#exampleOf({ $ref: `${SCHEMAS}/${key}` }, key),
    });
    return {
      ...(params.some(({ required }) => required) && { required: true }),
      content: {
        [JSON_TYPE]: media(name),
        [FORM_TYPE]: media(form),
        ...(hasFiles && { [MULTIPART_TYPE]: media(form) }),
      },
    };
  }

  /** @param {Endpoint} endpoint */
  #responsesOf(endpoint) {
    const { route } = endpoint;
    const success = this.#successOf(endpoint);
    const statuses = route.responses.length > 0 ? route.responses : [route.status];
    const refusals = refusalsOf(endpoint).filter((status) => !statuses.includes(status));
    return Object.fromEntries([
      ...statuses.map((status) => [
        status,
        { description: phraseOf(status, route), ...(isRedirect(status) ? REDIRECT : success) },
      ]),
      ...(hasEtag(endpoint) ? [[304, { $ref: '#/components/responses/NotModified' }]] : []),
      ...refusals.map((status) => [
        status,
        route.emptyResponses.includes(status)
          ? bareRefusal(status)
          : refusalReference(status, route.kind),
      ]),
    ]);
  }

  /** @param {Endpoint} endpoint */
  #successOf(endpoint) {
    const { route, source } = endpoint;
    const etag = hasEtag(endpoint) ? { ETag: { $ref: '#/components/headers/ETag' } } : null;
    const pages = isPaged(endpoint) ? PAGE_HEADERS : null;
    const headers = route.scopes === null ? null : { ...COMMON_HEADERS, ...etag, ...pages };
    const content = this.#contentOf(route, source);
    return { ...(headers && { headers }), ...(content && { content }) };
  }

  /**
   * @param {Route} route
   * @param {HandlerSource} source
   */
  #contentOf(route, source) {
    const fixedType = route.headers['content-type']?.split(';')[0];
    const sent = route.produces ?? (fixedType === undefined ? [] : [fixedType]);
    if (sent.length > 0) return Object.fromEntries(sent.map((type) => [type, sentMedia(type)]));
    if (route.status === 204 || isVoid(source)) return null;
    const schema = this.schemas.schemaOf(source.answer, source.place, route.path);
    return { [JSON_TYPE]: { schema, example: this.#exampleOf(schema, 'answer') } };
  }

  /**
   * @param {Schema} schema
   * @param {string} name
   */
  #exampleOf(schema, name) {
    return exampleOf(schema, name, this.schemas.components);
  }
}

/** @param {number} status */
function isRedirect(status) {
  return status >= 300 && status < 400;
}

/**
 * @param {number} status
 * @param {Route} route
 */
function phraseOf(status, { kind }) {
  if (status === 200 && kind === 'page') return 'The page.';
  /** @type {Record<number, string>} */
  const phrases = {
    200: 'Success.',
    201: 'Created.',
    202: 'Accepted; processed in the background.',
    204: 'Success, without a body.',
    302: 'Redirect to `Location`.',
    503: 'The same, while not able to serve.',
  };
  const phrase = phrases[status];
  if (phrase === undefined) throw new Error(`no words for the status ${status}`);
  return phrase;
}

/**
 * The first sentence is the summary.
 * @param {string} doc
 */
function splitDoc(doc) {
  const end = doc.search(/[^.]\. /);
  const summary = end === -1 ? doc : doc.slice(0, end + 1);
  return { summary: summary.replace(/\.$/, ''), rest: end === -1 ? '' : doc.slice(end + 3) };
}

/** @param {Route} route */
function operationId({ method, path }) {
  const words = path
    .replace(/^\/api\/v4/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method + pascal.join('');
}
