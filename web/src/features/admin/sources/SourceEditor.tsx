import { Box, chakra, Flex } from '@chakra-ui/react';
import { isOffered, newSourceValues, type SourceValues, sourceSchema } from '@lotwatch/api/forms/sources/source';
import { type FormKind, fieldsOfKind } from '@lotwatch/api/forms/sources/source-fields';
import type { FormikProps } from 'formik';
import { ExternalLink } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { FormField } from '../../../ui/form/FormField.tsx';
import { TextInput } from '../../../ui/form/inputs.tsx';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { BackLink, BusyButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { Disclosure } from '../../../ui/parts/Disclosure.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import type { FormGuide } from './kind-guides.ts';
import { SourceFieldControl } from './SourceFieldControl.tsx';
import type { SourceSettings, SourceTrial } from './source-documents.ts';
import { trialWords } from './source-words.ts';
import { TrialResult } from './TrialResult.tsx';
import type { SourceActions } from './use-source-actions.ts';

/** A trial and the values that were tried. */
interface Tried {
  values: SourceValues;
  trial: SourceTrial;
}

interface SourceEditorProps {
  guide: FormGuide;
  /** The one that is edited; without it one is made. */
  source?: SourceSettings;
  allowsPrivateNetwork: boolean;
  actions: SourceActions;
  back: { href: string; text: string };
  onSaved: () => void;
}

function valuesOf({ name, fields }: SourceSettings, kind: FormKind): SourceValues {
  const values = newSourceValues(kind);
  for (const field of fieldsOfKind(kind)) values[field.name] = '';
  for (const { name: field, value } of fields) values[field] = value ?? '';
  return { ...values, name };
}

/** The form of a source: fill it in, try it, start it. */
export function SourceEditor({
  guide,
  source: given,
  allowsPrivateNetwork,
  actions,
  back,
  onSaved,
}: SourceEditorProps) {
  // Another tab may change the source meanwhile; the server then refuses this version.
  const [source] = useState(given);
  const { kind } = guide;
  const stored = useMemo(
    () => new Set(source?.fields.flatMap(({ name, value, isSet }) => (value === null && isSet ? name : []))),
    [source],
  );
  const schema = useMemo(() => sourceSchema(kind, { stored }), [kind, stored]);
  const initial = useMemo(
    () => (source ? valuesOf(source, kind) : { ...newSourceValues(kind), ...guide.values, name: guide.name }),
    [source, kind, guide],
  );
  const intent = useRef<'try' | 'save'>('try');
  const [tried, setTried] = useState<Tried | null>(null);
  const save = async (values: SourceValues) => {
    if (intent.current === 'try') {
      const trial = await actions.attempt(kind, values);
      if (trial) setTried({ values, trial });
      return;
    }
    if (source) await actions.update(source, kind, values);
    else await actions.create(kind, values);
    onSaved();
  };
  const fields = fieldsOfKind(kind).filter((field) => isOffered(field, allowsPrivateNetwork));
  const controls = (isFurther: boolean) =>
    fields
      .filter(({ further = false }) => further === isFurther)
      .map((field) => <SourceFieldControl key={field.name} field={field} isStored={stored.has(field.name)} />);
  const title = source ? `Edit ${source.name}` : guide.title;
  return (
    <Box maxW="form">
      <BackLink to={back.href}>{back.text}</BackLink>
      <Card as="section" pad="lg" mt="2" aria-labelledby="source-editor">
        <Heading id="source-editor" as="h3" size="md" overflowWrap="anywhere">
          {title}
        </Heading>
        <Guide guide={guide} />
        <Box mt="5">
          <ServerForm name={title} initial={initial} schema={schema} save={save}>
            {(form) => (
              <>
                {source ? null : (
                  <FormField
                    name="name"
                    label="Name"
                    required
                    hint="a–z, 0–9 and -. It can’t be changed later, as it identifies the cars of this source."
                  >
                    {(control) => (
                      <TextInput {...control} autoComplete="off" autoCapitalize="none" spellCheck={false} />
                    )}
                  </FormField>
                )}
                {controls(false)}
                <Disclosure inForm title="More settings" hint="How often it is read, and the like">
                  <Flex direction="column" gap="4">
                    {controls(true)}
                  </Flex>
                </Disclosure>
                <Buttons
                  form={form}
                  intent={intent}
                  isNew={!source}
                  isTried={tried?.values === form.values && trialWords(tried.trial, kind).isGood}
                />
                <Trial kind={kind} tried={tried} form={form} isTrying={form.isSubmitting && intent.current === 'try'} />
              </>
            )}
          </ServerForm>
        </Box>
      </Card>
    </Box>
  );
}

interface TrialProps {
  kind: FormKind;
  tried: Tried | null;
  form: FormikProps<SourceValues>;
  isTrying: boolean;
}

/** The result, in a place that is as high while it is awaited, so that what is below does not move when it comes. */
function Trial({ kind, tried, form, isTrying }: TrialProps) {
  if (!tried && !isTrying) return null;
  return (
    <Box minH="60vh">
      {isTrying ? (
        <Flex direction="column" gap="4" pt="6" borderTopWidth="1px" borderColor="line">
          <LoadingNote>Trying the source</LoadingNote>
          <Skeleton h="6" w="60%" />
          {[0, 1, 2, 3, 4].map((index) => (
            <Skeleton key={index} h="11" />
          ))}
        </Flex>
      ) : tried ? (
        <TrialResult trial={tried.trial} kind={kind} isStale={tried.values !== form.values} />
      ) : null}
    </Box>
  );
}

function Guide({ guide: { text, steps, link } }: { guide: FormGuide }) {
  return (
    <>
      <Muted mt="1">{text}</Muted>
      {steps.length > 0 ? (
        <chakra.ol mt="3" pl="5" listStyleType="decimal" display="flex" flexDirection="column" gap="1" fontSize="sm">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </chakra.ol>
      ) : null}
      <chakra.a
        href={link.href}
        target="_blank"
        rel="noreferrer"
        display="inline-flex"
        alignItems="center"
        gap="1.5"
        mt="2"
        minH={{ base: '44px', md: '28px' }}
        fontSize="sm"
        fontWeight="600"
        color="brand"
        borderRadius="chip"
        _hover={{ textDecoration: 'underline' }}
      >
        {link.text}
        <ExternalLink size={14} aria-label="(opens in a new tab)" role="img" />
      </chakra.a>
    </>
  );
}

interface ButtonsProps {
  form: FormikProps<SourceValues>;
  intent: { current: 'try' | 'save' };
  isNew: boolean;
  /** Whether the result below is good, and about what the form has now. */
  isTried: boolean;
}

/** Both buttons send the form. The one that comes next is the solid one. */
function Buttons({ form: { isSubmitting }, intent, isNew, isTried }: ButtonsProps) {
  const isTrying = isSubmitting && intent.current === 'try';
  const isSaving = isSubmitting && intent.current === 'save';
  const idle = isNew ? 'Start Reading' : 'Save Changes';
  return (
    <Flex gap="3" wrap="wrap" align="center">
      <BusyButton
        type="submit"
        variant={isTried ? 'outline' : 'solid'}
        isBusy={isSubmitting}
        onClick={() => {
          intent.current = 'try';
        }}
      >
        {isTrying ? 'Trying...' : 'Try It'}
      </BusyButton>
      <BusyButton
        type="submit"
        variant={isTried ? 'solid' : 'outline'}
        isBusy={isSubmitting}
        onClick={() => {
          intent.current = 'save';
        }}
      >
        {isSaving ? 'Saving...' : idle}
      </BusyButton>
      <Muted flex="1 1 200px">
        {isTrying
          ? 'Reading the first cars, for 20 seconds at most.'
          : 'Trying reads the first cars and stores nothing.'}
      </Muted>
    </Flex>
  );
}
