"""All demo tasks, in the order in which runs do them."""

from results.demo.tasks.code import CODE
from results.demo.tasks.data import DATA
from results.demo.tasks.reading import READING
from results.demo.tasks.reasoning import REASONING

TASKS = (*REASONING, *READING, *DATA, *CODE)
SMOKE_TASKS = tuple(task for task in TASKS if "smoke" in task.tags)
