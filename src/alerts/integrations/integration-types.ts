import { toText } from '../../core/params/coerce.js';
import { declare, type ParamOptions } from '../../core/params/params.decorator.js';
import type { IntegrationType } from '../alert-integration.entity.js';

/** Types of integrations as the API names them. */
export const WIRE_TYPES = ['HTTP', 'PROMETHEUS', 'EXTERNAL_PAGING'] as const;
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
