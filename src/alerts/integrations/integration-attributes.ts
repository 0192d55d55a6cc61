import type { QueryDeepPartialEntity } from 'typeorm';
import { ValidationFailedError } from '../../core/errors.js';
import { toText } from '../../core/params/coerce.js';
import { declare, type ParamOptions } from '../../core/params/params.decorator.js';
import type { AlertIntegration, IntegrationType } from '../alert-integration.entity.js';
import type { UpdateIntegrationDto } from './integration.dto.js';
import {
  presentMapping,
  readMappings,
  readResolvedWhen,
  readPayloadExample,
} from './mapping-rules.js';

/** Types of integrations as the API names them. */
const WIRE_TYPES = ['HTTP', 'PROMETHEUS', 'EXTERNAL_PAGING'] as const;
export type WireType = (typeof WIRE_TYPES)[number];

/** The API's name of a stored type. */
export function wireType(type: IntegrationType): WireType {
  return type.toUpperCase() as WireType;
}

/** The stored name of a type of the API. */
export function storedType(type: WireType): IntegrationType {
  return type.toLowerCase() as IntegrationType;
}

/** A parameter that is one of WIRE_TYPES, in any case. */
export function IntegrationTypeParam(options: ParamOptions = {}): PropertyDecorator {
  return declare({ kind: 'text', values: WIRE_TYPES, ...options }, toUpperCase, (value) =>
    WIRE_TYPES.includes(value as WireType) ? null : 'does not have a valid value',
  );
}

function toUpperCase(value: unknown): unknown {
  const text = toText(value);
  return typeof text === 'string' ? text.toUpperCase() : text;
}

const MAX_URL = 1_024;

/** Attributes of an integration that users set, apart from its type. */
export type IntegrationAttributes = Pick<
  AlertIntegration,
  'name' | 'active' | 'apiUrl' | 'payloadExample' | 'payloadAttributeMappings' | 'resolvedWhen'
>;

/**
 * The attributes that the parameters set; what is absent stays out. Throws 400 with messages per
 * attribute, also for what integrations of the type do not have.
 */
export function givenAttributes(
  type: IntegrationType,
  dto: UpdateIntegrationDto,
): Partial<IntegrationAttributes> {
  return {
    ...(dto.name != null && { name: dto.name }),
    ...(dto.active != null && { active: dto.active }),
    ...(dto.api_url !== undefined && { apiUrl: apiUrlOf(type, dto.api_url) }),
    ...ruleAttributes(type, dto),
  };
}

/** Those by which payloads are read, which only integrations of type HTTP have. */
function ruleAttributes(
  type: IntegrationType,
  dto: UpdateIntegrationDto,
): Partial<IntegrationAttributes> {
  const attributes: Partial<IntegrationAttributes> = {};
  const { payload_example, payload_attribute_mappings, resolved_when } = dto;
  if (payload_example !== undefined) {
    attributes.payloadExample = readPayloadExample(payload_example);
    if (type !== 'http' && Object.keys(attributes.payloadExample).length > 0) {
      throw onlyHttp('payload_example');
    }
  }
  if (payload_attribute_mappings !== undefined) {
    attributes.payloadAttributeMappings = readMappings(payload_attribute_mappings);
    if (type !== 'http' && attributes.payloadAttributeMappings.length > 0) {
      throw onlyHttp('payload_attribute_mapping');
    }
  }
  if (resolved_when !== undefined) {
    attributes.resolvedWhen = readResolvedWhen(resolved_when);
    if (type !== 'http' && attributes.resolvedWhen !== null) throw onlyHttp('resolved_when');
  }
  return attributes;
}

function apiUrlOf(type: IntegrationType, url: string | null): string | null {
  const isGiven = url !== null && url !== '';
  if (type === 'http') {
    if (isGiven)
      throw new ValidationFailedError({ api_url: ['is not for integrations of type HTTP'] });
    return null;
  }
  if (!isGiven) throw new ValidationFailedError({ api_url: ["can't be blank"] });
  if (url.length > MAX_URL) {
    throw new ValidationFailedError({
      api_url: [`is too long (maximum is ${MAX_URL} characters)`],
    });
  }
  if (!isWebUrl(url)) {
    throw new ValidationFailedError({ api_url: ['must be a valid http or https URL'] });
  }
  return url;
}

/** Refuses credentials: the URL is shown on pages and in the audit log. */
function isWebUrl(url: string): boolean {
  if (!/^https?:\/\/[^\s\u0000-\u001f\u007f]+$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function onlyHttp(attribute: string): ValidationFailedError {
  return new ValidationFailedError({ [attribute]: ['is only for integrations of type HTTP'] });
}

/** Columns for TypeORM, whose type does not accept unknown members, even in JSON. */
export function columnsOf(
  values: Partial<AlertIntegration>,
): QueryDeepPartialEntity<AlertIntegration> {
  return values as QueryDeepPartialEntity<AlertIntegration>;
}

/**
 * Returns the attributes for the audit log: with wire names, and long JSON as text, which the log
 * truncates.
 */
export function auditedAttributes(
  attributes: Partial<IntegrationAttributes>,
): Record<string, unknown> {
  const { payloadExample, payloadAttributeMappings, resolvedWhen, ...rest } = attributes;
  return {
    ...rest,
    ...(payloadExample && { payloadExample: JSON.stringify(payloadExample) }),
    ...(payloadAttributeMappings && {
      payloadAttributeMappings: JSON.stringify(payloadAttributeMappings.map(presentMapping)),
    }),
    ...(resolvedWhen !== undefined && {
      resolvedWhen: resolvedWhen === null ? null : JSON.stringify(resolvedWhen),
    }),
  };
}
