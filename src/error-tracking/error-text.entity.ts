import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ErrorGroup } from './error-group.entity.js';

/** The searched text of an error, which triggers copy from `ErrorGroup.searchText`. */
@Entity('error_texts')
@Index('ix_error_texts_search', { synchronize: false })
export class ErrorText {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_texts_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_texts' })
  errorId: number;

  @Column({ type: 'text', name: 'text' })
  text: string;
}
