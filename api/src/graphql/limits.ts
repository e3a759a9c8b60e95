import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { AppError } from '../base/errors.ts';

/** The limits of one operation. A page of 100 matches with all of their fields costs about 18,000, one of 90 notifications 21,000. */
export const limits = {
  tokens: 1500,
  depth: 12,
  aliases: 30,
  cost: 21_500,
  /** What a list without `first` counts as. */
  listSize: 10,
  /** The assumed length of particular lists, by the field's name. */
  listSizes: new Map([
    ['createAlerts', 100],
    ['updateAlerts', 100],
    ['makes', 45],
    ['models', 30],
    ['offers', 3],
    ['priceHistory', 5],
    ['attempts', 4],
    ['listings', 3],
    ['samples', 3],
    ['sampleDistances', 3],
    ['waiting', 3],
    ['cautions', 1],
    ['points', 1000],
    ['carHistory', 30],
    ['prices', 5],
    ['cars', 50],
    ['sharedLinks', 20],
  ]),
  /** The cost of `__schema`, and of each alias in it: a third of the largest operation. */
  introspection: 7200,
  /** The cost of particular fields besides what they select, by their name: what they compute is slow. */
  fieldCosts: new Map([
    ['readWish', 7200],
    ['previewAlert', 7200],
    ['shared', 7200],
    ['comparableCars', 1000],
    ['matchMap', 1000],
  ]),
  /** The cost of sorting or filtering a list besides what it selects: all of its cars are read, whatever the page holds. */
  choice: 2000,
  /** The largest page; `first: $variable` counts as this. */
  pageSize: 100,
};

interface Measure {
  depth: number;
  aliases: number;
  cost: number;
}

/** Introspection queries are deeper: common tools select 9 levels of ofType. */
const INTROSPECTION_DEPTH = 18;

type ParentType = Pick<GraphQLObjectType, 'getFields'> | undefined;

function outputTypeOf(parent: ParentType, field: FieldNode): GraphQLOutputType | undefined {
  return parent?.getFields()[field.name.value]?.type;
}

function isList(type: GraphQLOutputType | undefined): boolean {
  if (type && isNonNullType(type)) return isList(type.ofType);
  return isListType(type);
}

function parentTypeOf(type: GraphQLOutputType | undefined): ParentType {
  const named = type && getNamedType(type);
  return named && (isObjectType(named) || isInterfaceType(named)) ? named : undefined;
}

/** Returns how many times the field's children are resolved. A page is counted at the field that takes `first`. */
function timesOf(field: FieldNode, type: GraphQLOutputType | undefined, inPage: boolean): number {
  const first = field.arguments?.find((argument) => argument.name.value === 'first');
  if (first?.value.kind === 'IntValue') {
    return Math.min(Math.max(Number.parseInt(first.value.value, 10), 1), limits.pageSize);
  }
  if (first) return limits.pageSize;
  return isList(type) && !inPage ? (limits.listSizes.get(field.name.value) ?? limits.listSize) : 1;
}

/** A validation rule: limits depth, aliases and cost of each operation. Each fragment is measured once. */
export function withinLimits(context: ValidationContext): ASTVisitor {
  const known = new Map<string, Measure | 'measuring'>();

  function measureField(parent: ParentType, field: FieldNode, inPage: boolean): Measure {
    const alias = field.alias ? 1 : 0;
    if (!field.selectionSet) return { depth: 1, aliases: alias, cost: 1 };
    const introspects = field.name.value.startsWith('__');
    const type = outputTypeOf(parent, field);
    const takesPage = type !== undefined && !isList(type) && hasFirst(parent, field);
    const inner = measure(parentTypeOf(type), field.selectionSet, takesPage);
    if (introspects) {
      const depth = inner.depth > INTROSPECTION_DEPTH ? inner.depth : 1;
      const cost = field.name.value === '__schema' ? limits.introspection * (1 + inner.aliases) : inner.cost;
      return { depth, aliases: inner.aliases + alias, cost };
    }
    const own = (limits.fieldCosts.get(field.name.value) ?? 1) + (hasChoice(field) ? limits.choice : 0);
    const times = takesPage && !field.arguments?.some(isFirst) ? 20 : timesOf(field, type, inPage);
    return { depth: inner.depth + 1, aliases: inner.aliases + alias, cost: own + times * inner.cost };
  }

  function measureFragment(fragment: FragmentDefinitionNode | null | undefined, inPage: boolean): Measure {
    if (!fragment) return nothing;
    const key = `${fragment.name.value} ${inPage}`;
    const before = known.get(key);
    if (before === 'measuring') return nothing; // A cycle, which graphql's own rule refuses.
    if (before) return before;
    known.set(key, 'measuring');
    const type = context.getSchema().getType(fragment.typeCondition.name.value);
    const result = measure(isObjectType(type) ? type : undefined, fragment.selectionSet, inPage);
    known.set(key, result);
    return result;
  }

  function measure(parent: ParentType, selections: SelectionSetNode, inPage: boolean): Measure {
    const total = { depth: 0, aliases: 0, cost: 0 };
    for (const selection of selections.selections) {
      const one =
        selection.kind === 'Field'
          ? measureField(parent, selection, inPage)
          : selection.kind === 'FragmentSpread'
            ? measureFragment(context.getFragment(selection.name.value), inPage)
            : measure(narrowed(selection.typeCondition?.name.value) ?? parent, selection.selectionSet, inPage);
      total.depth = Math.max(total.depth, one.depth);
      total.aliases += one.aliases;
      total.cost += one.cost;
    }
    return total;
  }

  function narrowed(name: string | undefined): ParentType {
    const type = name === undefined ? undefined : context.getSchema().getType(name);
    return isCompositeType(type) && isObjectType(type) ? type : undefined;
  }

  return {
    OperationDefinition(operation) {
      const root = context.getSchema().getRootType(operation.operation) ?? undefined;
      const found = measure(root, operation.selectionSet, false);
      for (const what of ['depth', 'aliases', 'cost'] as const) {
        if (found[what] <= limits[what]) continue;
        const message = `This operation is too large: its ${what} is ${found[what]}, the limit is ${limits[what]}.`;
        context.reportError(new GraphQLError(message, { nodes: operation }));
      }
    },
  };
}

const nothing: Measure = { depth: 0, aliases: 0, cost: 0 };
const isFirst = (argument: { name: { value: string } }) => argument.name.value === 'first';

/** Whether a list is sorted or filtered, as far as the text tells: a variable may hold anything. */
const hasChoice = (field: FieldNode): boolean =>
  field.arguments?.some(
    ({ name, value }) =>
      (name.value === 'sort' && !(value.kind === 'EnumValue' && value.value === 'newest')) ||
      (name.value === 'only' &&
        value.kind !== 'NullValue' &&
        !(value.kind === 'ListValue' && value.values.length === 0)),
  ) ?? false;

function hasFirst(parent: ParentType, field: FieldNode): boolean {
  return parent?.getFields()[field.name.value]?.args.some((argument) => argument.name === 'first') ?? false;
}

/** Larger than any valid input. graphql would check larger ones field by field and repeat the whole in each error. */
const variableLimits = { depth: 10, fields: 100, items: 1_000, name: 200 };

function findFault(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return `they nest deeper than ${variableLimits.depth}`;
  const isList = Array.isArray(value);
  const most = isList ? variableLimits.items : variableLimits.fields;
  let parts = 0;
  for (const name in value) {
    if (++parts > most) return isList ? `a list has more than ${most} items` : `an object has more than ${most} fields`;
    if (!isList && name.length > variableLimits.name) return `a name is longer than ${variableLimits.name} characters`;
    const fault = findFault((value as Record<string, unknown>)[name], depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Call this before graphql coerces the variables. @throws AppError VALIDATION */
export function refuseLargeVariables(variables: unknown): void {
  const fault = findFault(variables, variableLimits.depth);
  if (fault !== null) throw new AppError('VALIDATION', `The variables are too large: ${fault}.`);
}
