import { TextParam } from '../../core/params/params.decorator.js';
import { USER_FILTERS, type UserFilter } from '../pages/user-filter.js';
import { USER_ORDERS } from './list-users.dto.js';

/** Query parameters of the administrators' list of users. */
export class ListUserPageDto {
  /** Which tab; everyone who is a person unless given. */
  @TextParam({ values: USER_FILTERS })
  filter?: UserFilter | null;

  /** Part of name or username, or a complete email address. */
  @TextParam()
  search?: string | null;

  /** Sort column, `created_at` by default. */
  @TextParam({ values: USER_ORDERS })
  order_by?: (typeof USER_ORDERS)[number] | null;

  /** Direction of the order, `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
