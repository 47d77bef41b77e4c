"""A corpus from Python, by the client that openapi-python-client makes of /openapi.json (docs/clients.md, "Python")."""
import os

from loam_client import AuthenticatedClient
from loam_client.api.corpora import put_corpus
from loam_client.api.documents import put_document
from loam_client.api.jobs import get_job
from loam_client.api.questions import query, search
from loam_client.models import NewCorpus, NewDocument, Query, Search

url = os.environ.get("LOAM_URL", "http://127.0.0.1:8787")
key = os.environ.get("LOAM_KEY", "local-development-key")

with AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True) as client:
    put_corpus.sync("birds-py", client=client, body=NewCorpus())
    text = "The grey heron waits without moving. It eats fish, frogs and voles."
    put = put_document.sync("birds-py", "heron", client=client, body=NewDocument(text=text, title="Heron"))
    if put.job:
        while (job := get_job.sync("birds-py", put.job, client=client, wait=10)).status in ("queued", "running"):
            pass
        print("job", job.status)
    found = search.sync("birds-py", client=client, body=Search(query="What does the heron eat?"))
    print([(one.document, one.text) for one in found.evidence])
    result = query.sync("birds-py", client=client, body=Query(query="What does the heron eat?"))
    print(result.answer, [(one.document, one.quote) for one in result.citations])
