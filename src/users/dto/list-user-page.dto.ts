import { TextParam } from '../../core/params/params.decorator.js';
import { USER_FILTERS, type UserFilter } from '../pages/user-filter.js';
import { USER_ORDERS } from './list-users.dto.js';

/** What the administrators' list of users is asked for. */
export class ListUserPageDto {
  /** Which tab; everyone who is a person unless given. */
  @TextParam({ values: USER_FILTERS })
  filter?: UserFilter | null;

  /** Part of name or username, or a whole email address. */
  @TextParam()
  search?: string | null;

  /** What to order by, `created_at` unless given. */
  @TextParam({ values: USER_ORDERS })
  order_by?: (typeof USER_ORDERS)[number] | null;

  /** Direction of the order, `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
