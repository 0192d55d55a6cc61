import { SetMetadata } from '@nestjs/common';

/** Metadata of routes that only the API description uses. */
export const API_KEYS = {
  ability: 'guildhall:api ability',
  parameters: 'guildhall:api parameters',
  errors: 'guildhall:api errors',
  emptyResponses: 'guildhall:api empty responses',
  responses: 'guildhall:api responses',
  produces: 'guildhall:api produces',
} as const;

/** Ability that the endpoint checks itself, because its errors differ from those of its guard. */
export const ApiAbility = (ability: string): MethodDecorator & ClassDecorator =>
  SetMetadata(API_KEYS.ability, ability);

/** Parameters of an endpoint that reads them itself, by the rules of a protocol. */
export const ApiParameters = (dto: new () => object): MethodDecorator =>
  SetMetadata(API_KEYS.parameters, dto);

/** Error statuses beyond those that follow from the declaration (400, 401, 403, 404, 412, 429). */
export const ApiErrors = (...statuses: number[]): MethodDecorator & ClassDecorator =>
  SetMetadata(API_KEYS.errors, statuses);

/** Statuses without a body besides success, including 304. */
export const ApiEmptyResponses = (...statuses: number[]): MethodDecorator =>
  SetMetadata(API_KEYS.emptyResponses, statuses);

/** All success statuses of an endpoint that decides between several. */
export const ApiResponses = (...statuses: number[]): MethodDecorator =>
  SetMetadata(API_KEYS.responses, statuses);

/** Media types of an endpoint that writes its response itself. */
export const ApiProduces = (...mediaTypes: string[]): MethodDecorator =>
  SetMetadata(API_KEYS.produces, mediaTypes);
