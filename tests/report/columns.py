"""What is in a column, read by the description at the head of `segue.report.columns` alone."""

from typing import Any

__all__ = ["values_of"]


def values_of(column: Any) -> list[Any]:
    """The values of a column."""
    match column:
        case {"steps": steps}:
            before = 0
            found: list[Any] = []
            for step in steps:
                before += step or 0
                found.append(None if step is None else before)
            return found
        case {"of": of, "at": at}:
            return [values_of(of)[index] for index in values_of(at)]
        case {"items": items}:
            return [list(each) for each in zip(*map(values_of, items), strict=True)]
        case {"sizes": sizes, "all": every}:
            rest = iter(values_of(every))
            return [[next(rest) for _ in range(size)] for size in values_of(sizes)]
        case {"keys": lists, "which": which, "values": values}:
            keys = list(dict.fromkeys(key for keys in lists for key in keys))
            left = {key: iter(values_of(each)) for key, each in zip(keys, values, strict=True)}
            return [{key: next(left[key]) for key in lists[index]} for index in values_of(which)]
        case _:
            assert isinstance(column, list)
            return column
