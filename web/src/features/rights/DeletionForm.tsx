import { useMutation } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { deletionRequestSchema, reasonRequired } from '@lotwatch/api/forms/deletion-request';
import { Form, Formik, type FormikHelpers } from 'formik';
import type { FormEvent } from 'react';
import { boolean } from 'yup';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toastFault } from '../../lib/server/faults/run-action.ts';
import { toast } from '../../lib/state/toasts.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FocusFirstError, FormField } from '../../ui/form/FormField.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { withProgress } from './export-file.ts';
import { ProgressBar } from './ProgressBar.tsx';
import { MyDeletionRequestsDocument, RequestDeletionDocument } from './rights-documents.ts';

const schema = deletionRequestSchema.shape({
  confirmed: boolean().oneOf([true], 'Please confirm that you understand this.'),
});

const empty = { reason: '', confirmed: false };

/** Requests the deletion of one's data. The request then replaces the form; `onMade` is called just before. */
export function DeletionForm({ onMade }: { onMade: () => void }) {
  const [request, { client }] = useMutation(RequestDeletionDocument, { fetchPolicy: 'no-cache' });
  const submit = async (values: typeof empty, { setStatus }: FormikHelpers<typeof empty>) => {
    try {
      const { data } = await withProgress(request({ variables: { reason: values.reason.trim() } }));
      if (!data) return;
      const made = data.requestDeletion;
      toast('Request submitted', `Your request ${made.requestId} will be processed within 30 days.`);
      onMade();
      client.cache.updateQuery({ query: MyDeletionRequestsDocument }, (known) => ({
        myDeletionRequests: [made, ...(known?.myDeletionRequests ?? [])],
      }));
    } catch (error) {
      const fault = readFault(error);
      setStatus(fault.fields);
      toastFault('Request failed', fault);
      // Another page has made a request in the meantime: show that one.
      if (fault.code === 'CONFLICT') {
        await client.refetchQueries({ include: [MyDeletionRequestsDocument] }).catch(() => undefined);
      }
    }
  };
  return (
    <Card pad="lg">
      <Heading size="md">Erase your account</Heading>
      <Muted mt="2">
        This removes your profile, alerts, matches, messages and everything else that belongs to you, permanently. We
        process requests within 30 days. You may want to download your data first.
      </Muted>
      <Formik initialValues={empty} validationSchema={schema} onSubmit={submit}>
        {({ values, errors, touched, isSubmitting, handleSubmit, setFieldValue }) => (
          <Form
            noValidate
            aria-label="Request deletion"
            onSubmit={(event: FormEvent<HTMLFormElement>) => {
              if (values.reason.trim() === '') toast('Reason required', reasonRequired, 'destructive');
              handleSubmit(event);
            }}
          >
            <FocusFirstError />
            <Flex direction="column" gap="4" mt="5">
              <FormField name="reason" label="Reason" required>
                {(control) => <TextArea {...control} rows={4} />}
              </FormField>
              <Checkbox
                name="confirmed"
                label={
                  <>
                    I understand that my data can't be recovered. <chakra.span color="bad">(required)</chakra.span>
                  </>
                }
                checked={values.confirmed}
                required
                error={touched.confirmed ? errors.confirmed : undefined}
                onChange={(confirmed) => void setFieldValue('confirmed', confirmed)}
              />
              <Flex gap="4" align="center" wrap="wrap" minH="11">
                <BusyButton type="submit" variant="danger" isBusy={isSubmitting}>
                  {isSubmitting ? 'Sending your request...' : 'Submit Request'}
                </BusyButton>
                {isSubmitting ? <ProgressBar label="Sending your request" /> : null}
              </Flex>
            </Flex>
          </Form>
        )}
      </Formik>
    </Card>
  );
}
