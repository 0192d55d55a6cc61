import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidParamsError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import type { NamedLabelDto } from './label.dto.js';

/** ID or name of a label that changes, and the conditions of the request. */
export interface NamedChange {
  name: string;
  preconditions: Preconditions;
}

/** ID or name of the label in the path. */
export const LabelName = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  String(context.switchToHttp().getRequest<Request>().params['label_id'] ?? ''),
);

/** The label of a deprecated request. Throws 400 without one. */
export function givenName({ label_id: id, name }: NamedLabelDto): string {
  const given = id == null ? name : String(id);
  if (!given) throw new InvalidParamsError(['label_id, name are missing']);
  return given;
}
