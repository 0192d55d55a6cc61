import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { MAX_SEARCH_LENGTH, SEARCH_SCOPES, type SearchScope } from './search-query.js';

const STATES = ['opened', 'closed', 'merged', 'all'] as const;

/** Query parameters of a search. */
export class SearchDto {
  /**
   * Words and "quoted phrases" that names and titles must all contain. What is shorter than three
   * characters finds only what is equal.
   */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_SEARCH_LENGTH })
  search!: string;

  /** Kind of objects to search. */
  @TextParam({ required: true, values: SEARCH_SCOPES })
  scope!: SearchScope;

  /** Only issues or merge requests in this state. */
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  /** Only confidential issues, or only others. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Sort column; names that begin like the search come first by default, else what is newest. */
  @TextParam({ values: ['created_at'] })
  order_by?: 'created_at' | null;

  /** Direction of the order, `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
