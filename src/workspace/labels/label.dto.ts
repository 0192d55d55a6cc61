import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidParamsError } from '../../core/errors.js';
import { BooleanParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';

/** Filters of labels. */
export class ListLabelsDto {
  /** Text to find in name or description. */
  @TextParam()
  search?: string | null;

  /** Counts issues and merge requests that the viewer can see. */
  @BooleanParam()
  with_counts?: boolean | null;

  /** Includes labels of the groups above; true by default. */
  @BooleanParam()
  include_ancestor_groups?: boolean | null;
}

/** Filters of a group's labels. */
export class ListGroupLabelsDto extends ListLabelsDto {
  /** Includes labels of the groups below. */
  @BooleanParam()
  include_descendant_groups?: boolean | null;

  /** Leaves out labels of projects, which are included with false; true by default. */
  @BooleanParam()
  only_group_labels?: boolean | null;
}

/** POST of a group's label. */
export class CreateGroupLabelDto {
  /** At most 255 characters, without commas; unique in the group and the groups above. */
  @TextParam({ required: true, allowEmpty: false })
  name: string;

  /** `#rrggbb`, `#rgb` or a CSS color name. */
  @TextParam({ required: true, allowEmpty: false })
  color: string;

  /** At most 512 characters. */
  @TextParam()
  description?: string | null;
}

/** POST of a project's label. */
export class CreateLabelDto extends CreateGroupLabelDto {
  /** 0 or more, the smallest first; empty for none. */
  @IntegerParam({ min: 0 })
  priority?: number | null;
}

/** Parameters of which a PUT of a label needs at least one. */
export const UPDATABLE_ATTRIBUTES = ['new_name', 'color', 'description', 'priority'] as const;

/** PUT of a group's label: at least one of these. */
export class UpdateGroupLabelDto {
  /** New name; issues and merge requests follow. */
  @TextParam({ allowEmpty: false })
  new_name?: string | null;

  /** `#rrggbb`, `#rgb` or a CSS color name. */
  @TextParam({ allowEmpty: false })
  color?: string | null;

  /** At most 512 characters; empty clears it. */
  @TextParam()
  description?: string | null;
}

/** PUT of a project's label: at least one of these. */
export class UpdateLabelDto extends UpdateGroupLabelDto {
  /** 0 or more, the smallest first; empty for none. */
  @IntegerParam({ min: 0 })
  priority?: number | null;
}

/** The label of a deprecated PUT or DELETE. */
export class NamedLabelDto {
  /** ID of the label; one of the two is required. */
  @IntegerParam()
  label_id?: number | null;

  /** Name of the label. */
  @TextParam()
  name?: string | null;
}

/** Deprecated PUT of a group's label. */
export class UpdateNamedGroupLabelDto extends UpdateGroupLabelDto {
  /** ID of the label; one of the two is required. */
  @IntegerParam()
  label_id?: number | null;

  /** Name of the label. */
  @TextParam()
  name?: string | null;
}

/** Deprecated PUT of a project's label. */
export class UpdateNamedLabelDto extends UpdateLabelDto {
  /** ID of the label; one of the two is required. */
  @IntegerParam()
  label_id?: number | null;

  /** Name of the label. */
  @TextParam()
  name?: string | null;
}

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
