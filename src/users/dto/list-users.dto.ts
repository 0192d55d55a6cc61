import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

export const USER_ORDERS = ['id', 'name', 'username', 'created_at', 'updated_at'] as const;

/**
 * Filters of `GET /users`. A boolean filter counts only when true. Those under the line are for
 * administrators; from anybody else they are dropped.
 */
export class ListUsersDto {
  @TextParam() username?: string | null;
  @TextParam() search?: string | null;
  @TextParam() extern_uid?: string | null;
  @TextParam() provider?: string | null;
  @BooleanParam() active?: boolean | null;
  @BooleanParam() blocked?: boolean | null;
  @BooleanParam() external?: boolean | null;
  @BooleanParam() humans?: boolean | null;
  @BooleanParam() admins?: boolean | null;
  @BooleanParam() exclude_active?: boolean | null;
  @BooleanParam() exclude_external?: boolean | null;
  @BooleanParam() exclude_humans?: boolean | null;
  @BooleanParam() exclude_internal?: boolean | null;
  @BooleanParam() without_project_bots?: boolean | null;
  // ---
  @DateTimeParam() created_after?: Date | null;
  @DateTimeParam() created_before?: Date | null;
  @TextParam({ values: USER_ORDERS }) order_by?: (typeof USER_ORDERS)[number] | null;
  @TextParam({ values: ['asc', 'desc'] }) sort?: 'asc' | 'desc' | null;
  @TextParam({ values: ['enabled', 'disabled'] }) two_factor?: 'enabled' | 'disabled' | null;
  @BooleanParam() without_projects?: boolean | null;
}
