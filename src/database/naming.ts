/** How properties become columns: snake_case, and a foreign key bears the name of the key it refers to. */
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { columnName } from '../entities/fieldTypes.js';

export class ColumnNaming extends UnderscoreNamingStrategy {
  override propertyToColumnName(property: string): string {
    return columnName(property);
  }
}
