import { refuseInvalid } from '../base/errors.ts';
import { ApiScope, wholeScopes } from '../domain/api-scope.ts';
import { apiKeyTexts, bounds, isPlainName } from '../domain/form-rules.ts';

export interface NewKeyFields {
  name: string;
  scopes: ApiScope[];
}

/** @throws AppError VALIDATION with `fields` */
export function readKeyFields(name: string, scopes: readonly ApiScope[]): NewKeyFields {
  const faults: Record<string, string> = {};
  const trimmed = name.trim();
  if (trimmed === '') faults.name = apiKeyTexts.nameRequired;
  else if ([...trimmed].length > bounds.keyName) faults.name = apiKeyTexts.nameLong;
  else if (!isPlainName(trimmed)) faults.name = apiKeyTexts.namePlain;
  const whole = wholeScopes(scopes);
  if (whole.length === 0) faults.scopes = apiKeyTexts.scopesRequired;
  refuseInvalid(faults);
  return { name: trimmed, scopes: whole };
}
