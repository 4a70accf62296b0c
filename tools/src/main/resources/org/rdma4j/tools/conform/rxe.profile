# rxe
